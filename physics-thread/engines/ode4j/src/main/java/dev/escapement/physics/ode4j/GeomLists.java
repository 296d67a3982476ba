package dev.escapement.physics.ode4j;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DWorld;

/**
 * The geoms of bodies that touch, in the order in which they were added. ODE links them, the newest first, and does not say when they
 * change. So the newest geom of a list and 64 links are compared with ODE's once a step and once a query.
 *
 * <p>Physics thread only. Allocates when geoms have changed.
 */
final class GeomLists {

    private static final int LINKS = 64;
    private static final int FEW = 64;

    private static final class Geoms {

        final List<DGeom> oldestFirst = new ArrayList<>();
        long step;
        int compared;
    }

    private final DWorld world;
    private final IntConsumer searched;
    private final Map<DBody, Geoms> lists = new HashMap<>();
    private int sizeToSweep = FEW;
    private long step = 1;

    /** Creates lists for the bodies of a world. {@code searched} takes how many geoms were looked at. */
    GeomLists(DWorld world, IntConsumer searched) {
        this.world = world;
        this.searched = searched;
    }

    /** Begins a step or a query, because geoms may have changed since the last one. */
    void begin() {
        step++;
        if (lists.size() > sizeToSweep) {
            lists.keySet().removeIf(body -> body.getWorld() != world);
            sizeToSweep = FEW + 2 * lists.size();
        }
    }

    void forget(DBody body) {
        lists.remove(body);
    }

    List<DGeom> of(DBody body) {
        Geoms known = lists.computeIfAbsent(body, added -> new Geoms());
        if (known.step != step) {
            known.step = step;
            followNewest(known.oldestFirst, body);
            if (hasChanged(known, body)) {
                known.oldestFirst.clear();
                body.getGeomIterator().forEachRemaining(known.oldestFirst::add);
                Collections.reverse(known.oldestFirst);
                searched.accept(known.oldestFirst.size());
            }
        }
        return known.oldestFirst;
    }

    /** Adds the newest geom, or removes the one that was the newest, if that is all that has changed. */
    @SuppressWarnings("deprecation") // getNextGeom: an iterator begins at the newest geom only
    private static void followNewest(List<DGeom> geoms, DBody body) {
        DGeom newest = body.getFirstGeom();
        int last = geoms.size() - 1;
        if (last > 0 && geoms.get(last - 1) == newest) {
            geoms.remove(last);
        } else if (last >= 0 && newest != null && body.getNextGeom(newest) == geoms.get(last)) {
            geoms.add(newest);
        }
    }

    @SuppressWarnings("deprecation")
    private boolean hasChanged(Geoms known, DBody body) {
        List<DGeom> geoms = known.oldestFirst;
        int count = geoms.size();
        boolean isSame = body.getFirstGeom() == (count == 0 ? null : geoms.get(count - 1));
        for (int link = 0; isSame && link < Math.min(LINKS, count); link++) {
            int at = (known.compared + 1) % count;
            isSame = body.getNextGeom(geoms.get(at)) == (at == 0 ? null : geoms.get(at - 1));
            known.compared = at;
            searched.accept(1);
        }
        return !isSame;
    }
}
