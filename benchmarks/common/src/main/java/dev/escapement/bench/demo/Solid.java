package dev.escapement.bench.demo;

import dev.escapement.state.world.BodyShape;

/**
 * A body in terms that every engine has. Immutable.
 *
 * @param form      a box, a ball or a capsule
 * @param motion    what moves the body
 * @param touches   whether it collides with other solids
 * @param friction  the coefficient
 * @param kilograms its mass, if forces move it
 * @param awake     whether it is awake at first
 * @param x         x of its initial centre, metres
 * @param y         metres
 * @param z         metres; engines of two dimensions leave it out
 * @param turn      its angle about z at first, radians
 */
public record Solid(
        BodyShape.Form form,
        Motion motion,
        boolean touches,
        double friction,
        float kilograms,
        boolean awake,
        double x,
        double y,
        double z,
        double turn) {

    /** What moves a body: nothing, the machine, or forces. */
    enum Motion {
        STATIC,
        KINEMATIC,
        DYNAMIC
    }

    /** Bits of collision filters: solids that forces move, solids that touch only those, and solids that touch nothing. */
    private static final int MOVING = 1;

    private static final int MET = 2;
    private static final int FREE = 4;

    boolean isDynamic() {
        return motion == Motion.DYNAMIC;
    }

    /** The bit of this solid in collision filters. */
    int group() {
        return !touches ? FREE : isDynamic() ? MOVING : MET;
    }

    /** The collision bits of the solids with which this solid collides. */
    int meets() {
        return !touches ? 0 : isDynamic() ? MOVING | MET : MOVING;
    }

    /** Creates a body that forces move. */
    public static Solid dynamic(
            BodyShape.Form form, double friction, float kilograms, boolean awake, double x, double y, double z) {
        return new Solid(form, Motion.DYNAMIC, true, friction, kilograms, awake, x, y, z, 0);
    }

    static Solid fixed(BodyShape.Form form, double friction, double x, double y, double z) {
        return new Solid(form, Motion.STATIC, true, friction, 0, false, x, y, z, 0);
    }
}
