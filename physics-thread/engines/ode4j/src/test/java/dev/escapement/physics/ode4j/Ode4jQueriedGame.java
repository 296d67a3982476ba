package dev.escapement.physics.ode4j;

import dev.escapement.physics.world.QueriedGame;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ode4j.math.DQuaternion;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DBox;
import org.ode4j.ode.DContactGeomBuffer;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DMass;
import org.ode4j.ode.DRay;
import org.ode4j.ode.DTriMeshData;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeHelper;

/** A game whose hulls are cylinders, because ODE's own rays miss hulls. */
final class Ode4jQueriedGame extends Ode4jGame implements QueriedGame<DWorld, DBody> {

    private static final float[] CORNERS = {-2, 0, -2, 0, 0, 2, 2, 0, -2, 0, 3, 2};
    private static final int[] TRIANGLES = {0, 1, 2, 1, 3, 2};

    private final DContactGeomBuffer contact = new DContactGeomBuffer(1);
    private Hit nearest = Hit.NONE;

    @Override
    public boolean isFlat() {
        return false;
    }

    @Override
    public DBody addForm(Kind kind, double[] pose) {
        DBody body = OdeHelper.createBody(world());
        DMass mass = OdeHelper.createMass();
        mass.setBox(1, 1, 1, 1);
        body.setMass(mass);
        body.setPosition(pose[0], pose[1], pose[2]);
        body.setQuaternion(rotation(pose));
        if (kind == Kind.MESH) {
            body.setKinematic();
        }
        addGeoms(body, kind);
        return body;
    }

    private static DQuaternion rotation(double[] pose) {
        return new DQuaternion(pose[6], pose[3], pose[4], pose[5]);
    }

    private void addGeoms(DBody body, Kind kind) {
        switch (kind) {
            case BOX -> OdeHelper.createBox(space(), 1, 1, 1).setBody(body);
            case BALL -> OdeHelper.createSphere(space(), 0.4).setBody(body);
            case HULL -> {
                DGeom cylinder = OdeHelper.createCylinder(space(), 0.4, 1.2);
                cylinder.setBody(body);
                cylinder.setOffsetPosition(0.2, 0, 0.1);
            }
            case COMPOUND -> {
                DGeom box = OdeHelper.createBox(space(), 1.2, 0.4, 0.6);
                box.setBody(body);
                box.setOffsetPosition(1, 0, 0);
                box.setOffsetQuaternion(new DQuaternion(0.8, 0, 0.6, 0));
                DGeom capsule = OdeHelper.createCapsule(space(), 0.3, 0.8);
                capsule.setBody(body);
                capsule.setOffsetPosition(0, 0.3, 0);
            }
            case MESH -> {
                DTriMeshData data = OdeHelper.createTriMeshData();
                data.build(CORNERS, TRIANGLES);
                OdeHelper.createTriMesh(space(), data).setBody(body);
            }
        }
    }

    @Override
    public boolean reform(DBody body, Kind kind) {
        while (body.getFirstGeom() != null) {
            body.getFirstGeom().destroy();
        }
        addGeoms(body, kind);
        return true;
    }

    private static @Nullable Object hit(DGeom geom) {
        return geom.getBody() == null ? geom : geom.getBody();
    }

    @Override
    public Hit cast(double[] from, double[] way) {
        double length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        DRay ray = OdeHelper.createRay(null, length);
        ray.set(from[0], from[1], from[2], way[0], way[1], way[2]);
        ray.setClosestHit(true);
        nearest = Hit.NONE;
        OdeHelper.spaceCollide2(space(), ray, null, (data, one, other) -> {
            DGeom geom = one == ray ? other : one;
            if (OdeHelper.collide(ray, geom, 1, contact) > 0 && contact.get().depth / length < nearest.fraction()) {
                nearest = new Hit(hit(geom), contact.get().depth / length);
            }
        });
        return nearest;
    }

    /**
     * Takes boxes 1 mm smaller and larger than the contract's. When a box grows by 1 mm, ODE loses one in 20,000 contacts with a mesh, and
     * some with a cylinder. So the smaller box hits only what the contract's box hits too, and the larger one also all that this box hits.
     */
    @Override
    public Set<Object> overlapping(Form form, double[] pose) {
        BodyShape.Box half = (BodyShape.Box) form;
        boolean isSmaller = half.halfX() < 0.7f;
        DBox box = box(half, pose);
        DBox asked = box(new BodyShape.Box(0.7f, 0.4f, 0.5f), pose);
        Set<Object> found = new HashSet<>();
        OdeHelper.spaceCollide2(space(), box, null, (data, one, other) -> {
            DGeom geom = one == box ? other : one;
            boolean isHit = OdeHelper.collide(box, geom, 1, contact) > 0;
            if (isHit == isSmaller) {
                isHit = OdeHelper.collide(asked, geom, 1, contact) > 0;
            }
            if (isHit) {
                found.add(hit(geom));
            }
        });
        return found;
    }

    private static DBox box(BodyShape.Box half, double[] pose) {
        DBox box = OdeHelper.createBox(2.0 * half.halfX(), 2.0 * half.halfY(), 2.0 * half.halfZ());
        box.setPosition(pose[0], pose[1], pose[2]);
        box.setQuaternion(new DQuaternion((float) pose[6], (float) pose[3], (float) pose[4], (float) pose[5]));
        return box;
    }

    @Override
    public @Nullable Hit sweep(Form form, double[] pose, double[] way) {
        return null; // ODE has none
    }
}
