package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CapsuleShape;
import com.github.stephengold.joltjni.DecoratedShape;
import com.github.stephengold.joltjni.HeightFieldShape;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.MutableCompoundShape;
import com.github.stephengold.joltjni.ShapeRefC;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Converts the shapes of bodies: boxes, balls and capsules, and triangles for all others. Jolt never changes a shape, except where the game
 * calls a method of a mutable compound or a heightfield. So all others are read when somebody needs the triangles, by any thread. A mutable
 * compound within another compound must not be changed meanwhile.
 */
final class JoltShapes {

    private static final boolean RELATIVE_TO_CENTRE = isRelativeToCentre(Jolt.versionString());

    private JoltShapes() {}

    /** Reads the shape of a rigid body. */
    static BodyShape.Form form(Body body) {
        ConstShape shape = body.getShape();
        BodyShape.Form form = formOfNumbers(shape);
        if (form != null) {
            release(shape);
            return form;
        }
        ShapeRefC kept = shape.toRefC(); // the game may free the shape before it is read
        return mayChange(shape)
                ? new TriangleMesh(triangles(shape, kept))
                : new TriangleMesh(() -> triangles(shape, kept));
    }

    private static BodyShape.@Nullable Form formOfNumbers(ConstShape shape) {
        if (shape instanceof BoxShape box) {
            Vec3 half = box.getHalfExtent();
            return new BodyShape.Box(half.getX(), half.getY(), half.getZ());
        }
        if (shape instanceof SphereShape sphere) {
            return new BodyShape.Sphere(sphere.getRadius());
        }
        if (shape instanceof CapsuleShape capsule) {
            return new BodyShape.Capsule(capsule.getRadius(), capsule.getHalfHeightOfCylinder());
        }
        return null;
    }

    /** Reads the centre of mass of a rigid body's shape, relative to the body's position. */
    static Vec3 centreOfMass(Body body) {
        ConstShape shape = body.getShape();
        Vec3 centre = shape.getCenterOfMass();
        release(shape);
        return centre;
    }

    private static boolean mayChange(ConstShape shape) {
        if (shape instanceof DecoratedShape decorated) {
            ConstShape inner = decorated.getInnerShape();
            boolean mayChange = mayChange(inner);
            release(inner);
            return mayChange;
        }
        return shape instanceof MutableCompoundShape || shape instanceof HeightFieldShape;
    }

    /**
     * Closes an object that a getter of jolt-jni has created for a shape. From 3.4.0 on it counts as a reference, without which the shape
     * would never be freed. Before, it owns nothing, and 3.0 asserts that such an object is not closed.
     */
    static void release(ConstShape shape) {
        if (shape.ownsNativeObject()) {
            shape.close();
        }
    }

    /** Reads the triangles, and frees the counted reference. The reference uses {@code shape} from 4.0.0 on, which is closed after it. */
    private static float[] triangles(ConstShape shape, ShapeRefC kept) {
        try (kept) {
            float[] corners = new float[9 * kept.countDebugTriangles()];
            FloatBuffer buffer = Jolt.newDirectFloatBuffer(corners.length);
            kept.copyDebugTriangles(buffer);
            buffer.get(0, corners);
            if (RELATIVE_TO_CENTRE) {
                Vec3 centre = kept.getCenterOfMass();
                for (int i = 0; i < corners.length; i += 3) {
                    corners[i] += centre.getX();
                    corners[i + 1] += centre.getY();
                    corners[i + 2] += centre.getZ();
                }
            }
            return corners;
        } finally {
            release(shape);
        }
    }

    /** Returns whether a version of jolt-jni returns triangles relative to the centre of mass, and not to the body's position. */
    static boolean isRelativeToCentre(String version) {
        return JoltNatives.compare(version, "0.9.10") < 0;
    }
}
