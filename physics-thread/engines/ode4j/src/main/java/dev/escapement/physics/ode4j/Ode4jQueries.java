package dev.escapement.physics.ode4j;

import dev.escapement.physics.ode4j.Ode4jQueryBodies.Described;
import dev.escapement.physics.query.QueryEngine;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ode4j.math.DQuaternion;
import org.ode4j.math.DVector3C;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DContactGeom;
import org.ode4j.ode.DContactGeomBuffer;
import org.ode4j.ode.DGeom;
import org.ode4j.ode.DGeom.DNearCallback;
import org.ode4j.ode.DHeightfield;
import org.ode4j.ode.DPlane;
import org.ode4j.ode.DRay;
import org.ode4j.ode.DSpace;
import org.ode4j.ode.DSphere;
import org.ode4j.ode.DTriMesh;
import org.ode4j.ode.DWorld;
import org.ode4j.ode.OdeHelper;

/**
 * ODE's queries: the colliders of a ray and of a form, over copies of geoms in spaces and on bodies of their own. The world is never
 * stepped; its bodies carry the geoms.
 *
 * <p>The colliders have no state but that of their two geoms. One thread at a time. Allocates what the colliders and ODE's tree allocate.
 */
final class Ode4jQueries implements QueryEngine<Described, Ode4jQueries.Copy> {

    record Copy(DBody body, List<DGeom> geoms) {}

    /** The data of a copied geom. */
    private record Target(int slot, Ode4jGeomCopy copied) {}

    /** A body with one geom, so that the geom can be turned on it. */
    private record Asker(DBody body, DGeom geom) {}

    /** A height field reports every triangle that a ray hits, in no order. */
    private static final int MAX_CONTACTS = 64;

    /** A ray begins in a body if a ball of this radius at its start touches it, metres. */
    private static final double START_RADIUS = 1e-5;

    private final DWorld world = OdeHelper.createWorld();

    /** A tree of geoms with finite bounds; none of them counts as static, because that is for pairs alone. */
    private final DSpace tree = OdeHelper.createBHVSpace(0);

    /** Planes and height fields, whose bounds may be infinite. */
    private final DSpace wide = OdeHelper.createSimpleSpace();

    private final DRay ray = OdeHelper.createRay(null, 1);
    private final DSphere start = OdeHelper.createSphere(START_RADIUS);
    private final Map<Form, Asker> forms = new HashMap<>();
    private final DContactGeomBuffer contacts = new DContactGeomBuffer(MAX_CONTACTS);
    private final DQuaternion rotation = new DQuaternion();

    /** The geoms near the ray or form. Collected first, because a space stays locked if a filter throws within its callback. */
    private final List<DGeom> near = new ArrayList<>();

    private final DNearCallback collect = (asker, one, other) -> near.add(one == asker ? other : one);

    Ode4jQueries() {
        ray.setClosestHit(true);
        limitTo(ray, Ode4jGeomCopy.RAYS);
    }

    private static void limitTo(DGeom asker, int kind) {
        asker.setCategoryBits(0);
        asker.setCollideBits(kind);
    }

    @Override
    public Copy add(Described is, int slot) {
        DBody body = OdeHelper.createBody(world);
        body.setPosition(is.at());
        body.setRotation(is.rotation());
        List<DGeom> geoms = new ArrayList<>();
        for (Ode4jGeomCopy copied : is.geoms()) {
            DGeom geom = copied.maker().get();
            geom.setData(new Target(slot, copied));
            geom.setCategoryBits(copied.hitBy());
            if (!(geom instanceof DPlane)) { // a plane has no pose
                geom.setBody(body);
            }
            if (copied.offset() != null && copied.turn() != null) {
                geom.setOffsetPosition(copied.offset());
                geom.setOffsetRotation(copied.turn());
            }
            (geom instanceof DPlane || geom instanceof DHeightfield ? wide : tree).add(geom);
            geoms.add(geom);
        }
        return new Copy(body, geoms);
    }

    @Override
    public void remove(Copy copy) {
        copy.geoms.forEach(DGeom::destroy);
        copy.body.destroy();
    }

    @Override
    public void move(Copy copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
        place(copy.body, x, y, z, qx, qy, qz, qw);
    }

    private void place(DBody body, double x, double y, double z, float qx, float qy, float qz, float qw) {
        body.setPosition(x, y, z);
        rotation.set(qw, qx, qy, qz); // w comes first
        body.setQuaternion(rotation);
    }

    @Override
    public void moved() {
        tree.cleanGeoms();
        wide.cleanGeoms();
    }

    private void collect(DGeom asker) {
        near.clear();
        OdeHelper.spaceCollide2(tree, asker, asker, collect);
        OdeHelper.spaceCollide2(wide, asker, asker, collect);
    }

    @Override
    public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits hits) {
        double length = Math.sqrt(wayX * wayX + wayY * wayY + wayZ * wayZ);
        ray.setLength(length);
        ray.set(x, y, z, wayX, wayY, wayZ);
        start.setPosition(x, y, z);
        collect(ray);
        for (DGeom geom : near) {
            int count = OdeHelper.collide(ray, geom, MAX_CONTACTS, contacts);
            int nearest = 0;
            for (int i = 1; i < count; i++) {
                nearest = contacts.get(i).depth < contacts.get(nearest).depth ? i : nearest;
            }
            if (count > 0) {
                report(geom, contacts.get(nearest), wayX, wayY, wayZ, length, hits);
            }
        }
    }

    private void report(
            DGeom geom, DContactGeom hit, double wayX, double wayY, double wayZ, double length, QueryHits hits) {
        Target target = (Target) geom.getData();
        float fraction = (float) Math.min(1, hit.depth / length); // for a ray, the depth is the distance
        if (!hits.wants(target.slot, target.copied.groups(), target.copied.shape(), fraction)) {
            return;
        }
        DVector3C at = hit.pos;
        DVector3C normal = hit.normal;
        double x = at.get0();
        double y = at.get1();
        double z = at.get2();
        double nx = normal.get0();
        double ny = normal.get1();
        double nz = normal.get2();
        // Colliders differ in the sign of the normal; out of a body is against a ray that begins outside.
        double sign = nx * wayX + ny * wayY + nz * wayZ > 0 ? -1 : 1;
        if (!(geom instanceof DTriMesh) && OdeHelper.collide(start, geom, 1, contacts) > 0) {
            sign = 0; // the ray begins in the body
        }
        hits.add(x, y, z, (float) (sign * nx), (float) (sign * ny), (float) (sign * nz));
    }

    @Override
    public void overlap(
            Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits hits) {
        Asker asker = asker(form);
        place(asker.body, x, y, z, qx, qy, qz, qw);
        collect(asker.geom);
        for (DGeom geom : near) {
            if (OdeHelper.collide(asker.geom, geom, 1, contacts) > 0) {
                Target target = (Target) geom.getData();
                if (hits.wants(target.slot, target.copied.groups(), target.copied.shape(), 0)) {
                    DContactGeom hit = contacts.get(0);
                    hits.add(
                            hit.pos.get0(),
                            hit.pos.get1(),
                            hit.pos.get2(),
                            (float) hit.normal.get0(), // into the form
                            (float) hit.normal.get1(),
                            (float) hit.normal.get2());
                }
            }
        }
    }

    private Asker asker(Form form) {
        Asker known = forms.get(form);
        if (known == null) {
            DGeom geom = create(form);
            DBody body = OdeHelper.createBody(world);
            geom.setBody(body);
            if (form instanceof BodyShape.Capsule) { // ODE's is along z
                geom.setOffsetQuaternion(new DQuaternion(Math.sqrt(0.5), -Math.sqrt(0.5), 0, 0));
            }
            limitTo(geom, Ode4jGeomCopy.FORMS);
            known = new Asker(body, geom);
            forms.put(form, known);
        }
        return known;
    }

    private static DGeom create(Form form) {
        if (form instanceof BodyShape.Box box) {
            return OdeHelper.createBox(2.0 * box.halfX(), 2.0 * box.halfY(), 2.0 * box.halfZ());
        }
        if (form instanceof BodyShape.Sphere ball) {
            return OdeHelper.createSphere(ball.radius());
        }
        BodyShape.Capsule capsule = (BodyShape.Capsule) form;
        return OdeHelper.createCapsule(capsule.radius(), 2.0 * capsule.halfHeight()); // without the round ends
    }

    @Override
    public void sweep(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            double wayX,
            double wayY,
            double wayZ,
            QueryHits hits) {
        throw new UnsupportedOperationException(
                "ODE has no sweeps; cast rays, or ask for overlaps at some points of the way");
    }

    @Override
    public void close() {
        tree.destroy(); // with its geoms
        wide.destroy();
        forms.values().forEach(asker -> asker.geom.destroy());
        forms.clear();
        ray.destroy();
        start.destroy();
        world.destroy(); // with its bodies
    }
}
