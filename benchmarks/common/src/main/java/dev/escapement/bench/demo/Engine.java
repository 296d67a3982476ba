package dev.escapement.bench.demo;

import dev.escapement.physics.box2d.Box2dWorldSimulation;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.physics.physx.PhysxWorldSimulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.physics.simulation.Simulation;
import java.util.Locale;

/** The physics engines and other simulations that {@code escapement run} can simulate. */
public enum Engine {
    /** Jolt, native, through jolt-jni. */
    JOLT,
    /** Bullet, native, through Libbulletjme. */
    BULLET,
    /** ode4j, pure Java. */
    ODE4J,
    /** dyn4j, pure Java, in two dimensions. */
    DYN4J,
    /** Box2D, native, through libGDX, in two dimensions. */
    BOX2D,
    /** PhysX, native, through physx-jni. */
    PHYSX,
    /** Masses on springs. They are cheap enough for large worlds. */
    SPRING;

    /** The version of the springs; a log names it. Increase it with each change after which the same input gives other bits. */
    private static final String SPRING_VERSION = "2";

    /** The version of the machine; a log names it. Increase it with each change after which the same input gives other bits. */
    private static final String MACHINE = ", machine 2";

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Builds the engine's default world: a {@link Machine}, or masses on springs. Throws an {@link IllegalArgumentException} if the engine
     * cannot run here.
     */
    public Simulation simulation(int bodies) {
        return this == SPRING ? new SpringSimulation(bodies) : build(new Machine(bodies, isFlat()).scene());
    }

    /**
     * Builds a pile of boxes. Throws an {@link IllegalArgumentException} if the engine is {@code SPRING}, which has no boxes, or cannot run
     * here.
     */
    public EngineBodies<?> pile(int boxes) {
        return build(new BoxPile(boxes).scene(isFlat()));
    }

    private boolean isFlat() {
        return this == DYN4J || this == BOX2D;
    }

    private EngineBodies<?> build(Scene scene) {
        try {
            return switch (this) {
                case JOLT -> new JoltBodies(scene);
                case BULLET -> new EngineBodies<>(new BulletWorld(scene), scene);
                case ODE4J -> new EngineBodies<>(new Ode4jWorld(scene), scene);
                case DYN4J -> new EngineBodies<>(new Dyn4jWorld(scene), scene);
                case BOX2D -> new EngineBodies<>(new Box2dWorld(scene), scene);
                case PHYSX -> new EngineBodies<>(PhysxWorld.of(scene), scene);
                case SPRING -> throw new IllegalArgumentException("springs are no scene");
            };
        } catch (UnsupportedPlatformException e) {
            throw new IllegalArgumentException("engine " + this + ": " + e.getMessage(), e);
        }
    }

    /** The versions of everything besides the input on which the bits of a state depend, as a log names them. */
    public String version() {
        return switch (this) {
            case JOLT -> JoltWorldSimulation.version() + MACHINE;
            case BULLET -> BulletWorldSimulation.version() + MACHINE;
            case ODE4J -> Ode4jWorldSimulation.version() + MACHINE;
            case DYN4J -> Dyn4jWorldSimulation.version() + MACHINE;
            case BOX2D -> Box2dWorldSimulation.version() + MACHINE;
            case PHYSX -> PhysxWorldSimulation.version() + MACHINE;
            case SPRING -> SPRING_VERSION;
        };
    }
}
