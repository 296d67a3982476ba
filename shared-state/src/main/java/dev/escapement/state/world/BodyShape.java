package dev.escapement.state.world;

import java.util.Objects;

/**
 * What a body looks like, in its own axes.
 *
 * <pre>{@code
 * new BodyShape(new BodyShape.Box(0.5f, 0.5f, 0.5f), false)   // a cube of 1 m that forces move
 * }</pre>
 *
 * <p>Immutable; any thread may use it. Equal shapes are shown by one instanced mesh.
 *
 * @param form      the geometry
 * @param kinematic whether the game moves the body, and forces do not
 */
public record BodyShape(Form form, boolean kinematic) {

    /** The geometry of a body, metres from the point that its pose places. */
    public sealed interface Form permits Box, Sphere, Capsule, TriangleMesh {}

    /**
     * A box.
     *
     * @param halfX half of its length along x, metres
     * @param halfY half of its length along y, metres
     * @param halfZ half of its length along z, metres
     */
    public record Box(float halfX, float halfY, float halfZ) implements Form {}

    /**
     * A ball.
     *
     * @param radius metres
     */
    public record Sphere(float radius) implements Form {}

    /**
     * A cylinder along y with two half balls as its ends.
     *
     * @param radius     metres
     * @param halfHeight half of the height of the cylinder, without its ends, metres
     */
    public record Capsule(float radius, float halfHeight) implements Form {}

    /**
     * Creates a shape.
     *
     * @param form      the geometry
     * @param kinematic whether the game moves the body, and forces do not
     */
    public BodyShape {
        Objects.requireNonNull(form, "form must not be null; for a shape that is not known pass no BodyShape");
    }
}
