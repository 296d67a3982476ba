package dev.escapement.bench.run;

/** The simulations that the main job can run. */
public enum Engine {
    /** Jolt, native, through jolt-jni. */
    JOLT,
    /** ode4j, pure Java. */
    ODE4J,
    /** Masses on springs, integrated with RK4. */
    SPRING;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
