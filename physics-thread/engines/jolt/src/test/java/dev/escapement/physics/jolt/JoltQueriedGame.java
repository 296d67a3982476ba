package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.AllHitCastShapeCollector;
import com.github.stephengold.joltjni.AllHitCollideShapeCollector;
import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CollideShapeResult;
import com.github.stephengold.joltjni.CollideShapeSettings;
import com.github.stephengold.joltjni.ConvexHullShapeSettings;
import com.github.stephengold.joltjni.MeshShapeSettings;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RMat44;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RShapeCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.ShapeCastResult;
import com.github.stephengold.joltjni.ShapeCastSettings;
import com.github.stephengold.joltjni.ShapeRefC;
import com.github.stephengold.joltjni.ShapeSettings;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.StaticCompoundShapeSettings;
import com.github.stephengold.joltjni.Triangle;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.world.QueriedGame;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.HashSet;
import java.util.Set;

final class JoltQueriedGame extends JoltGameWorld implements QueriedGame<PhysicsSystem, Body> {

    @Override
    public boolean isFlat() {
        return false;
    }

    static ConstShape shape(Kind kind) {
        return switch (kind) {
            case BOX -> new BoxShape(0.5f, 0.5f, 0.5f);
            case BALL -> new SphereShape(0.4f);
            case HULL ->
                made(new ConvexHullShapeSettings(
                        new Vec3(-0.5f, -0.5f, 0), new Vec3(1, 0, 0), new Vec3(0, 1, 0), new Vec3(0, 0, 0.7f)));
            case COMPOUND -> {
                StaticCompoundShapeSettings parts = new StaticCompoundShapeSettings();
                addShape(parts, new Vec3(1, 0, 0), new Quat(), new BoxShape(0.6f, 0.2f, 0.3f));
                addShape(parts, new Vec3(0, 0.3f, 0), new Quat(), new SphereShape(0.5f));
                yield made(parts);
            }
            case MESH ->
                made(new MeshShapeSettings(
                        new Triangle(new Vec3(-2, 0, -2), new Vec3(0, 0, 2), new Vec3(2, 0, -2)),
                        new Triangle(new Vec3(0, 0, 2), new Vec3(0, 3, 2), new Vec3(2, 0, -2))));
        };
    }

    private static ConstShape made(ShapeSettings settings) {
        return settings.create().get().getPtr();
    }

    @Override
    public Body addForm(Kind kind, double[] pose) {
        EMotionType motion = kind == Kind.MESH ? EMotionType.Static : EMotionType.Dynamic;
        try (ShapeRefC kept = shape(kind).toRefC();
                BodyCreationSettings settings =
                        new BodyCreationSettings(kept, at(pose), turned(pose), motion, kind == Kind.MESH ? 0 : 1)) {
            Body body = bodyInterface().createBody(settings);
            bodyInterface().addBody(body, EActivation.Activate);
            return body;
        }
    }

    private static RVec3 at(double[] pose) {
        return new RVec3(pose[0], pose[1], pose[2]);
    }

    private static Quat turned(double[] pose) {
        return new Quat((float) pose[3], (float) pose[4], (float) pose[5], (float) pose[6]);
    }

    @Override
    public boolean reform(Body body, Kind kind) {
        bodyInterface().setShape(body.getId(), shape(kind), true, EActivation.Activate);
        return true;
    }

    @Override
    public Hit cast(double[] from, double[] way) {
        Vec3 along = new Vec3((float) way[0], (float) way[1], (float) way[2]);
        try (RRayCast ray = new RRayCast(at(from), along);
                RayCastResult hit = new RayCastResult()) {
            return world().getNarrowPhaseQuery().castRay(ray, hit)
                    ? new Hit(JoltCalls.body(world(), hit.getBodyId()), hit.getFraction())
                    : Hit.NONE;
        }
    }

    private static ConstShape shape(Form form) {
        BodyShape.Box box = (BodyShape.Box) form;
        return new BoxShape(new Vec3(box.halfX(), box.halfY(), box.halfZ()), 0);
    }

    @Override
    public Set<Object> overlapping(Form form, double[] pose) {
        Set<Object> found = new HashSet<>();
        try (ShapeRefC kept = shape(form).toRefC();
                RMat44 placed = RMat44.sRotationTranslation(turned(pose), at(pose));
                CollideShapeSettings settings = new CollideShapeSettings();
                AllHitCollideShapeCollector hits = new AllHitCollideShapeCollector()) {
            world().getNarrowPhaseQuery().collideShape(kept, new Vec3(1, 1, 1), placed, settings, at(pose), hits);
            for (CollideShapeResult hit : hits.getHits()) {
                found.add(JoltCalls.body(world(), hit.getBodyId2()));
            }
        }
        return found;
    }

    @Override
    public Hit sweep(Form form, double[] pose, double[] way) {
        Vec3 along = new Vec3((float) way[0], (float) way[1], (float) way[2]);
        try (ShapeRefC kept = shape(form).toRefC();
                RMat44 start = RMat44.sRotationTranslation(turned(pose), at(pose));
                RShapeCast cast = new RShapeCast(kept, new Vec3(1, 1, 1), start, along);
                ShapeCastSettings settings = new ShapeCastSettings();
                AllHitCastShapeCollector hits = new AllHitCastShapeCollector()) {
            world().getNarrowPhaseQuery().castShape(cast, settings, at(pose), hits);
            hits.sort();
            for (ShapeCastResult hit : hits.getHits()) {
                return new Hit(JoltCalls.body(world(), hit.getBodyId2()), hit.getFraction());
            }
        }
        return Hit.NONE;
    }
}
