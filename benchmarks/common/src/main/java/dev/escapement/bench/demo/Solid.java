package dev.escapement.bench.demo;

import dev.escapement.state.world.BodyShape;

/**
 * A body of a scene, in terms that every engine has. Immutable.
 *
 * @param form      a box, a ball or a capsule
 * @param motion    what moves the body
 * @param touches   whether it collides with other solids
 * @param friction  the coefficient of friction
 * @param kilograms the mass of a dynamic body
 * @param awake     whether the engine starts with the body awake
 * @param x         x of its initial centre, metres
 * @param y         metres
 * @param z         metres; engines of two dimensions leave it out
 * @param turn      its initial angle about z, radians
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

    /** What moves a body: nothing (STATIC), the code of {@link Machine} (KINEMATIC), or forces (DYNAMIC). */
    enum Motion {
        STATIC,
        KINEMATIC,
        DYNAMIC
    }

    /**
     * Bits for collision filters: MOVING for solids that forces move, MET for solids that collide only with those, FREE for solids that
     * collide with nothing.
     */
    private static final int MOVING = 1;

    private static final int MET = 2;
    private static final int FREE = 4;

    boolean isDynamic() {
        return motion == Motion.DYNAMIC;
    }

    int group() {
        return !touches ? FREE : isDynamic() ? MOVING : MET;
    }

    /** The collision bits of the solids with which this solid collides. */
    int meets() {
        return !touches ? 0 : isDynamic() ? MOVING | MET : MOVING;
    }

    public static Solid dynamic(
            BodyShape.Form form, double friction, float kilograms, boolean awake, double x, double y, double z) {
        return new Solid(form, Motion.DYNAMIC, true, friction, kilograms, awake, x, y, z, 0);
    }

    static Solid fixed(BodyShape.Form form, double friction, double x, double y, double z) {
        return new Solid(form, Motion.STATIC, true, friction, 0, false, x, y, z, 0);
    }
}
