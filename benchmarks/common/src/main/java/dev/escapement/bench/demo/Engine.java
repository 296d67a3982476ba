package dev.escapement.bench.demo;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.Locale;

/** The simulations that the main job can run. */
public enum Engine {
    /** Jolt, native, through jolt-jni. */
    JOLT,
    /** Bullet, native, through Libbulletjme. */
    BULLET,
    /** ode4j, pure Java. */
    ODE4J,
    /** dyn4j, pure Java, in two dimensions. */
    DYN4J,
    /** Masses on springs, which are cheap: also for large worlds. */
    SPRING;

    /** Increased with each change after which the same input leads to other bits. */
    private static final String SPRING_VERSION = "2";

    /** Older logs have other hashes of the same states. */
    private static final String SECOND_HASH = ", hash 2";

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Builds its world of the main job.
     *
     * @throws IllegalArgumentException if the engine cannot run here
     */
    public Simulation simulation(int bodies) {
        BoxPile pile = new BoxPile(bodies);
        try {
            return switch (this) {
                case JOLT -> new JoltPile(pile);
                case BULLET -> new BulletPile(pile);
                case ODE4J -> new Ode4jPile(pile);
                case DYN4J -> new Dyn4jPile(pile);
                case SPRING -> new SpringSimulation(bodies);
            };
        } catch (UnsupportedPlatformException e) {
            throw new IllegalArgumentException("engine " + this + ": " + e.getMessage(), e);
        }
    }

    /** The version that the bits of its states depend on, besides the input. */
    public String version() {
        return switch (this) {
            case JOLT -> JoltWorldSimulation.version();
            case BULLET -> BulletWorldSimulation.version();
            case ODE4J -> Ode4jWorldSimulation.version() + SECOND_HASH;
            case DYN4J -> Dyn4jWorldSimulation.version() + SECOND_HASH;
            case SPRING -> SPRING_VERSION;
        };
    }
}
