package dev.escapement.physics.world;

/** Says once that ticks do not reach the engine, which nothing else shows. Physics thread only. */
final class StepCheck {

    /** Captures without a step after which that is said. */
    private static final int IDLE_CAPTURES = 100;

    /** Captures before the first step; negative after it, and if many were reported. */
    private int idleCaptures;

    /** From now on nothing is said: a simulation around the world knows how, and if it leaves out ticks, it means to. */
    void stepped() {
        idleCaptures = Integer.MIN_VALUE;
    }

    void captured(Object world, Object simulation) {
        if (idleCaptures >= 0 && ++idleCaptures == IDLE_CAPTURES) {
            idleCaptures = Integer.MIN_VALUE;
            System.getLogger("dev.escapement.physics")
                    .log(
                            System.Logger.Level.WARNING,
                            "The first " + IDLE_CAPTURES + " ticks have not stepped " + world
                                    + ": does a simulation around this "
                                    + simulation.getClass().getSimpleName()
                                    + " call super.step(tick), or simulation.step(tick), in its step? This is said once.");
        }
    }
}
