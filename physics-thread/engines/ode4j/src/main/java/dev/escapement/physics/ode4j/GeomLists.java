package dev.escapement.physics.ode4j;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;

/**
 * The geoms of bodies, in the order in which they were added. ODE links the geoms of a body, the newest first, and does not say when they
 * change. So this class keeps a list for each body that touches, and compares its newest geom and some links with ODE's once a step.
 *
 * <p>Physics thread only. Allocates when geoms have changed.
 */
final class GeomLists {

    /** The number of links compared in a step. */
    static final int LINKS = 64;

    private static final int FEW = 64;

    private static final class Geoms {

        List<DGeom> oldestFirst = List.of();
        long step = -1;
        int compared;
    }

    private final Predicate<DBody> isInWorld;
    private final IntConsumer searched;
    private final Map<DBody, Geoms> lists = new HashMap<>();
    private int sizeToSweep = FEW;
    private long step;

    /**
     * Creates lists.
     *
     * @param isInWorld returns whether a body is still in the world; the lists of others are forgotten
     * @param searched  takes how many geoms were looked at
     */
    GeomLists(Predicate<DBody> isInWorld, IntConsumer searched) {
        this.isInWorld = isInWorld;
        this.searched = searched;
    }

    /** Begins a step, in which each list is compared again. */
    void beginStep() {
        step++;
        if (lists.size() > sizeToSweep) {
            lists.keySet().removeIf(isInWorld.negate());
            sizeToSweep = FEW + 2 * lists.size();
        }
    }

    /** Forgets the list of a body whose geoms may have changed. */
    void forget(DBody body) {
        lists.remove(body);
    }

    List<DGeom> of(DBody body) {
        Geoms known = lists.get(body);
        if (known == null) {
            known = new Geoms();
            lists.put(body, known);
        }
        if (known.step != step) {
            known.step = step;
            if (hasChanged(known, body)) {
                read(known, body);
            }
        }
        return known.oldestFirst;
    }

    @SuppressWarnings("deprecation") // getNextGeom: an iterator begins at the newest geom only
    private boolean hasChanged(Geoms known, DBody body) {
        List<DGeom> geoms = known.oldestFirst;
        DGeom newest = body.getFirstGeom();
        int last = geoms.size() - 1;
        if (newest != null && last > 0 && geoms.get(last) != newest) { // one came or went, in most cases
            if (geoms.get(last - 1) == newest) {
                geoms.remove(last);
            } else if (body.getNextGeom(newest) == geoms.get(last)) {
                geoms.add(newest);
            }
        }
        int count = geoms.size();
        boolean isSame = newest == (count == 0 ? null : geoms.get(count - 1));
        int links = Math.min(LINKS, count);
        for (int i = 0; isSame && i < links; i++) {
            known.compared = (known.compared + 1) % count;
            int at = known.compared;
            isSame = body.getNextGeom(geoms.get(at)) == (at == 0 ? null : geoms.get(at - 1));
        }
        searched.accept(links);
        return !isSame;
    }

    private void read(Geoms known, DBody body) {
        List<DGeom> geoms = new ArrayList<>();
        body.getGeomIterator().forEachRemaining(geoms::add);
        searched.accept(geoms.size());
        Collections.reverse(geoms);
        known.oldestFirst = geoms;
        known.compared = 0;
    }
}
