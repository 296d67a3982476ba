package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CapsuleShape;
import com.github.stephengold.joltjni.ConvexHullShapeSettings;
import com.github.stephengold.joltjni.OffsetCenterOfMassShape;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RotatedTranslatedShape;
import com.github.stephengold.joltjni.ScaledShape;
import com.github.stephengold.joltjni.Shape;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.StaticCompoundShapeSettings;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.github.stephengold.joltjni.readonly.ConstAaBox;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.world.ExistingWorldToolsContract;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JoltToolsTest extends ExistingWorldToolsContract<PhysicsSystem, Body> implements JoltContractsTest.Worlds {

    private static final int MOVING = 1;
    private static final Quat TURNED = new Quat(0.1f, 0.5f, 0.1f, 0.854f).normalized();

    /** A rotation of x to y, y to z and z to x, with which the engine's bounding boxes stay as small as possible. */
    private static final Quat AXES_EXCHANGED = new Quat(0.5f, 0.5f, 0.5f, 0.5f);

    @Test
    void shouldReportBoxesBallsAndCapsulesAsWhatTheyAre() {
        assertThat(shape(new BoxShape(1, 2, 3)).form()).isEqualTo(new BodyShape.Box(1, 2, 3));
        assertThat(shape(new SphereShape(0.7f)).form()).isEqualTo(new BodyShape.Sphere(0.7f));
        BodyShape capsule = shape(new CapsuleShape(1.5f, 0.3f));
        assertThat(capsule.form()).isEqualTo(new BodyShape.Capsule(0.3f, 1.5f));
        assertThat(capsule.kinematic()).isFalse();
    }

    @Test
    void shouldReportAHullWhoseCentreOfMassIsElsewhere() {
        TriangleMesh hull = mesh(
                new ConvexHullShapeSettings(new Vec3(0, 0, 0), new Vec3(3, 0, 0), new Vec3(0, 2, 0), new Vec3(0, 0, 1))
                        .create()
                        .get()
                        .getPtr());
        assertThat(ShapeMeasures.bounds(hull, 0, 0, 0, 0, 0, 0, 1))
                .containsExactly(new double[] {0, 0, 0, 3, 2, 1}, within(1e-5));
        assertThat(ShapeMeasures.volume(hull)).isCloseTo(1, within(1e-4));
    }

    @Test
    void shouldReportShapesWithinOthers() {
        mesh(new OffsetCenterOfMassShape(new BoxShape(1, 2, 3), new Vec3(0.5f, 0.1f, 0.2f)));
        mesh(new RotatedTranslatedShape(new Vec3(1, 2, 3), TURNED, new BoxShape(1, 2, 3)));
        mesh(new ScaledShape(new BoxShape(1, 2, 3), new Vec3(2, 1, 0.5f)));
        mesh(new ScaledShape(new BoxShape(1, 2, 3), new Vec3(-2, 1, 1)));
        StaticCompoundShapeSettings parts = new StaticCompoundShapeSettings();
        JoltGameWorld.addShape(parts, new Vec3(2, 0, 0), TURNED, new BoxShape(1, 1, 1));
        JoltGameWorld.addShape(parts, new Vec3(-1, 3, 0), new Quat(), new BoxShape(0.5f, 1, 1));
        TriangleMesh compound = mesh(parts.create().get().getPtr());
        assertThat(ShapeMeasures.volume(compound)).isCloseTo(8 + 4, within(1e-3));
    }

    /** From jolt-jni 3.4.0 on, also the object that a getter creates for a shape counts as a reference. */
    @Test
    void readingAShapeLeavesNoReferenceToIt() {
        BoxShape box = new BoxShape(1, 2, 3);
        RotatedTranslatedShape moved = new RotatedTranslatedShape(new Vec3(1, 2, 3), TURNED, new BoxShape(1, 2, 3));
        for (Shape shape : new Shape[] {box, moved}) {
            Body body = add(shape);
            int references = shape.getRefCount();
            BodyShape reported = reported(body);
            if (reported.form() instanceof TriangleMesh mesh) {
                ShapeMeasures.volume(mesh); // reads the triangles
            }
            assertThat(shape.getRefCount()).as("references to %s", shape).isEqualTo(references);
        }
    }

    @Test
    void onlyAnObjectThatCountsAsAReferenceIsClosed() {
        for (boolean owns : new boolean[] {true, false}) {
            AtomicInteger closed = new AtomicInteger();
            JoltShapes.release((ConstShape) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {ConstShape.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            closed.incrementAndGet();
                        }
                        return method.getReturnType() == boolean.class ? owns : null;
                    }));
            assertThat(closed).as("closed an object that owns: %s", owns).hasValue(owns ? 1 : 0);
        }
    }

    @Test
    void trianglesHaveTheCentreOfMassFromVersion0910On() {
        assertThat(JoltShapes.isRelativeToCentre("0.9.9")).isTrue();
        assertThat(JoltShapes.isRelativeToCentre("0.9.10")).isFalse();
        assertThat(JoltShapes.isRelativeToCentre("3.10.0")).isFalse();
        assertThat(JoltShapes.isRelativeToCentre("6.0.0-SNAPSHOT")).isFalse();
    }

    private Body add(ConstShape shape) {
        BodyInterface bodies = ((JoltGameWorld) game).bodyInterface();
        try (BodyCreationSettings settings =
                new BodyCreationSettings(shape, new RVec3(3, 40, 5), AXES_EXCHANGED, EMotionType.Dynamic, MOVING)) {
            Body body = bodies.createBody(settings);
            bodies.addBody(body, EActivation.Activate);
            return body;
        }
    }

    private TriangleMesh mesh(ConstShape shape) {
        TriangleMesh mesh = (TriangleMesh) shape(shape).form();
        assertThat(ShapeMeasures.volume(mesh)).as("not inside out").isPositive();
        return mesh;
    }

    private BodyShape shape(ConstShape shape) {
        Body body = add(shape);
        BodyShape reported = reported(body);
        ConstAaBox box = body.getWorldSpaceBounds();
        Vec3 least = box.getMin();
        Vec3 greatest = box.getMax();
        double[] bounds = {least.getX(), least.getY(), least.getZ(), greatest.getX(), greatest.getY(), greatest.getZ()};
        assertThat(ShapeMeasures.bounds(reported.form(), game.pose(body))).containsExactly(bounds, within(1e-4));
        return reported;
    }
}
