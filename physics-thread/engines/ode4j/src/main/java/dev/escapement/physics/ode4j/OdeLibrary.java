package dev.escapement.physics.ode4j;

import org.ode4j.ode.OdeHelper;

/** What all of ODE's worlds in a JVM share. Initialized once and never closed: another world may still need it. */
final class OdeLibrary {

    /** The jar's manifest says it, but not when it was packed into another jar. */
    static final String VERSION = "0.5.3";

    private static boolean initialized;

    private OdeLibrary() {}

    static synchronized void initialize() {
        if (initialized) {
            return;
        }
        int result = OdeHelper.initODE2(0);
        if (result == 0) {
            throw new IllegalStateException("ODE could not be initialized: initODE2(0) returned " + result);
        }
        initialized = true;
    }
}
