package dev.escapement.physics.jolt;

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

/**
 * Converts the shapes of bodies: boxes, balls and capsules, and triangles for all others. Jolt never changes a shape, except where the game
 * calls a method of a mutable compound or a heightfield. So all others are read when somebody needs the triangles, by any thread. A mutable
 * compound within another compound must not be changed meanwhile.
 */
final class JoltShapes {

    private JoltShapes() {}

    static BodyShape.Form form(ConstShape shape) {
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
        ShapeRefC kept = shape.toRefC(); // the game may free the shape before it is read
        return mayChange(shape) ? new TriangleMesh(triangles(kept)) : new TriangleMesh(() -> triangles(kept));
    }

    private static boolean mayChange(ConstShape shape) {
        ConstShape inner = shape;
        while (inner instanceof DecoratedShape decorated) {
            inner = decorated.getInnerShape();
        }
        return inner instanceof MutableCompoundShape || inner instanceof HeightFieldShape;
    }

    private static float[] triangles(ShapeRefC kept) {
        try (kept) {
            float[] corners = new float[9 * kept.countDebugTriangles()];
            FloatBuffer buffer = Jolt.newDirectFloatBuffer(corners.length);
            kept.copyDebugTriangles(buffer);
            buffer.get(0, corners);
            // Added, because version 0.9.9 returns corners relative to the centre of mass.
            Vec3 centre = kept.getCenterOfMass();
            for (int i = 0; i < corners.length; i += 3) {
                corners[i] += centre.getX();
                corners[i + 1] += centre.getY();
                corners[i + 2] += centre.getZ();
            }
            return corners;
        }
    }
}
