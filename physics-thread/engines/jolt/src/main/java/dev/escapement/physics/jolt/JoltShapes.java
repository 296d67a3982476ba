package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.CapsuleShape;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.nio.FloatBuffer;

/** Converts the shapes of bodies: boxes, balls and capsules, and triangles for all others. Only one thread may use it. */
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
        float[] corners = new float[9 * shape.countDebugTriangles()];
        FloatBuffer buffer = Jolt.newDirectFloatBuffer(corners.length);
        shape.copyDebugTriangles(buffer);
        buffer.get(0, corners);
        // Added, because version 0.9.9 returns corners relative to the centre of mass.
        Vec3 centre = shape.getCenterOfMass();
        for (int i = 0; i < corners.length; i += 3) {
            corners[i] += centre.getX();
            corners[i + 1] += centre.getY();
            corners[i + 2] += centre.getZ();
        }
        return new TriangleMesh(corners);
    }
}
