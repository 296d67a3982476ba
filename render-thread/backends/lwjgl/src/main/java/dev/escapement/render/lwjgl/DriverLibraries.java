package dev.escapement.render.lwjgl;

import org.lwjgl.system.Platform;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * The libraries through which GLFW finds the OpenGL driver.
 *
 * <p>On Linux they leave a destructor with every thread that had a context, which runs when the thread ends. GLFW unloads
 * them when it terminates, and a render thread that ends a moment later would call into nothing and take the JVM with it.
 * So they stay loaded until the process ends.
 */
final class DriverLibraries {

    private static final String[] LINUX = {"libEGL.so.1", "libGLX.so.0", "libGL.so.1"};

    private DriverLibraries() {}

    /** Keeps those loaded that there are. Calling it again changes nothing. */
    static void keepLoaded() {
        if (Platform.get() == Platform.LINUX) {
            for (String library : LINUX) {
                // One that is missing gives no handle, and is GLFW's to complain about.
                DynamicLinkLoader.dlopen(library, DynamicLinkLoader.RTLD_LAZY | DynamicLinkLoader.RTLD_NODELETE);
            }
        }
    }
}
