package dev.escapement.physics.ode4j;

import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DMatrix3;
import org.ode4j.math.DMatrix3C;
import org.ode4j.math.DVector3;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DRay;
import org.ode4j.ode.DSpace;

/** Describes ODE's bodies, and its geoms without a body, to query worlds. */
final class Ode4jQueryBodies implements QueryBodies<DBody, Ode4jQueryBodies.Described> {

    /** A body, or a geom without one, and where it was. Immutable. */
    record Described(List<Ode4jGeomCopy> geoms, DVector3C at, DMatrix3C rotation) {}

    private final List<DSpace> spaces;

    /** Finds the geoms without a body in these spaces, and in the spaces that they contain. */
    Ode4jQueryBodies(List<DSpace> spaces) {
        this.spaces = spaces;
    }

    @Override
    public @Nullable Described describe(DBody body) {
        List<DGeom> oldestFirst = new ArrayList<>();
        body.getGeomIterator().forEachRemaining(oldestFirst::add);
        Collections.reverse(oldestFirst);
        List<Ode4jGeomCopy> geoms = new ArrayList<>();
        for (int shape = 0; shape < oldestFirst.size(); shape++) {
            Ode4jGeomCopy.add(oldestFirst.get(shape), shape, geoms);
        }
        DVector3 at = new DVector3(body.getPosition());
        return geoms.isEmpty() ? null : new Described(geoms, at, new DMatrix3(body.getRotation()));
    }

    private static @Nullable Described describeGeom(DGeom geom) {
        List<Ode4jGeomCopy> geoms = new ArrayList<>();
        Ode4jGeomCopy.add(geom, 0, geoms);
        DVector3 at = new DVector3();
        DMatrix3 rotation = new DMatrix3();
        DVector3 axis = new DVector3();
        geom.getRelPointPos(0, 0, 0, at); // unlike getPosition, also for geoms that have no pose
        for (int i = 0; i < 3; i++) {
            geom.vectorToWorld(i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0, axis);
            rotation.setCol(i, axis);
        }
        return geoms.isEmpty() ? null : new Described(geoms, at, rotation);
    }

    @Override
    public int describeFixed(Predicate<DBody> attached, BiConsumer<Object, Described> fixed) {
        Set<Object> described = new HashSet<>();
        int unseen = 0;
        for (DSpace space : spaces) {
            unseen += describeIn(space, attached, fixed, described);
        }
        return unseen;
    }

    private int describeIn(
            DSpace space, Predicate<DBody> attached, BiConsumer<Object, Described> fixed, Set<Object> described) {
        int unseen = 0;
        for (DGeom geom : space.getGeoms()) {
            DBody body = geom.getBody();
            if (geom instanceof DSpace inner) {
                unseen += describeIn(inner, attached, fixed, described);
            } else if (described.add(body == null ? geom : body) && (body == null || !attached.test(body))) {
                boolean isFixed = body == null || isStill(body);
                Described is = !isFixed ? null : body == null ? describeGeom(geom) : describe(body);
                if (is != null) {
                    fixed.accept(body == null ? geom : body, is);
                } else if (geom.isEnabled() && !(geom instanceof DRay)) {
                    unseen++;
                }
            }
        }
        return unseen;
    }

    private static boolean isStill(DBody body) {
        return body.isKinematic()
                && body.getLinearVel().length() == 0
                && body.getAngularVel().length() == 0;
    }

    @Override
    public QueryEngine<Described, ?> open() {
        return new Ode4jQueries();
    }
}
