package dev.escapement.render.lwjgl;

import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import org.joml.Matrix4f;
import org.joml.Vector3f;

/**
 * Describes the shape and the colour of a body. Called for every body in every frame, on the render thread.
 *
 * <pre>{@code
 * BodyShapes shapes = (slot, userData, shape) -> {
 *     if (userData == COIN) {
 *         shape.colour(0xFFC020);
 *     }
 * };
 * }</pre>
 */
@FunctionalInterface
public interface BodyShapes {

    /**
     * Describes a body.
     *
     * @param slot     its slot
     * @param userData the number that the body was spawned with; 0 if only poses are drawn
     * @param shape    receives the description; at first it is the shape that the world has reported, or a cube
     */
    void describe(int slot, long userData, Shape shape);

    /**
     * A box, a sphere or a capsule around the origin of its body.
     *
     * @see BodyShapes
     */
    final class Shape {

        private static final float BOX = 0;
        private static final float SPHERE = 1;
        private static final float CAPSULE = 2;

        private static final int KINEMATIC_COLOUR = 0x6C6D70;

        static final int FLOATS = 5;

        private float halfX;
        private float halfY;
        private float halfZ;
        private float kind;

        /** 0xRRGGBB, which a float holds exactly. A negative value means the default colour of slot -1 - value. */
        private float colour;

        Shape() {}

        /** Makes this shape a cube with the default colour of a slot. */
        void reset(float halfExtent, int slot) {
            box(halfExtent, halfExtent, halfExtent);
            colour = -1 - slot;
        }

        /**
         * Sets the colour.
         *
         * @param rgb 0xRRGGBB
         */
        public void colour(int rgb) {
            colour = rgb & 0xFFFFFF;
        }

        /**
         * Makes this shape a box.
         *
         * @param newHalfX half its length along the body's x axis, metres
         * @param newHalfY half its length along the body's y axis, metres
         * @param newHalfZ half its length along the body's z axis, metres
         */
        public void box(float newHalfX, float newHalfY, float newHalfZ) {
            halfX = newHalfX;
            halfY = newHalfY;
            halfZ = newHalfZ;
            kind = BOX;
        }

        /**
         * Makes this shape a sphere.
         *
         * @param radius metres
         */
        public void sphere(float radius) {
            box(radius, radius, radius);
            kind = SPHERE;
        }

        /**
         * Makes this shape a capsule along the body's y axis.
         *
         * @param radius     metres
         * @param halfHeight half of the height of its cylinder, without the ends, metres
         */
        public void capsule(float radius, float halfHeight) {
            box(radius, halfHeight, radius);
            kind = CAPSULE;
        }

        /**
         * Makes this shape look like one that the world has reported; a mesh looks like the box around it. All kinematic bodies have one
         * colour.
         *
         * @param known what the world has reported, see {@link dev.escapement.render.tools.KnownShapes}
         */
        public void like(BodyShape known) {
            if (known.form() instanceof BodyShape.Box box) {
                box(box.halfX(), box.halfY(), box.halfZ());
            } else if (known.form() instanceof BodyShape.Sphere sphere) {
                sphere(sphere.radius());
            } else if (known.form() instanceof BodyShape.Capsule capsule) {
                capsule(capsule.radius(), capsule.halfHeight());
            } else {
                boxAround((TriangleMesh) known.form());
            }
            if (known.kinematic()) {
                colour(KINEMATIC_COLOUR);
            }
        }

        /** Makes this shape too small to be drawn, for a body whose shape is not reported yet. */
        public void hide() {
            box(0, 0, 0);
        }

        void like(Shape other) {
            box(other.halfX, other.halfY, other.halfZ);
            kind = other.kind;
            colour = other.colour;
        }

        /** Computes the lowest and the highest corner of the axis-aligned box around a body of this shape at {@code pose}. */
        void bounds(Matrix4f pose, Vector3f low, Vector3f high) {
            float top = kind == CAPSULE ? halfX + halfY : halfY;
            pose.transformAab(-halfX, -top, -halfZ, halfX, top, halfZ, low, high);
        }

        private void boxAround(TriangleMesh mesh) {
            float[] half = new float[3];
            float[] corners = mesh.corners();
            for (int i = 0; i < corners.length; i++) {
                half[i % 3] = Math.max(half[i % 3], Math.abs(corners[i]));
            }
            box(half[0], half[1], half[2]);
        }

        void put(float[] to, int at) {
            to[at] = halfX;
            to[at + 1] = halfY;
            to[at + 2] = halfZ;
            to[at + 3] = kind;
            to[at + 4] = colour;
        }
    }
}
