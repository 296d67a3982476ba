package dev.escapement.physics.physx;

import de.fabmax.physxjni.Loader;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Loads PhysX's native library, unless the game has loaded it. Call it before you use the first class of PhysX: without the library, the
 * first use fails with a class-loading error, and every later use with another one.
 *
 * <pre>{@code
 * PhysxNatives.load();
 * PxFoundation foundation = PxTopLevelFunctions.CreateFoundation(version, allocator, errors);
 * }</pre>
 *
 * <p>Any thread may load. Nothing is ever unloaded: another scene may still need it.
 *
 * @see PhysxWorldSimulation
 */
public final class PhysxNatives {

    /** The version of the binding; a constant, because the binding does not expose its own. */
    static final String VERSION = "2.4.1";

    /** The binding's exception for a library that could not be loaded: the binding tries only once, and then does nothing. */
    private static final AtomicReference<@Nullable IllegalStateException> REFUSAL = new AtomicReference<>();

    private PhysxNatives() {}

    /**
     * Loads the library once per JVM; while there is no library, the next call tries again. If the library cannot be loaded, each later
     * call names the first cause.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     * @throws IllegalStateException        if the library cannot be loaded
     */
    public static synchronized void load() {
        NativeResource library = library(NativeResource.runningPlatform());
        library.require(Loader.class);
        try {
            Loader.load();
        } catch (IllegalStateException e) {
            REFUSAL.set(e);
        }
        IllegalStateException refusal = REFUSAL.get();
        if (refusal != null) {
            throw library.explain(refusal);
        }
    }

    static NativeResource library(String platform) {
        return NativeResource.of(
                "PhysX",
                platform,
                "de.fabmax:physx-jni:" + VERSION + ":natives-%s",
                "linux amd64   linux       /de/fabmax/physxjni/linux/libPhysXJniBindings_64.so",
                "windows amd64 windows     /de/fabmax/physxjni/windows/PhysXJniBindings_64.dll",
                "macos amd64   macos       /de/fabmax/physxjni/macos/libPhysXJniBindings_64.dylib",
                "macos aarch64 macos-arm64 /de/fabmax/physxjni/macosarm/libPhysXJniBindings_64.dylib");
    }
}
