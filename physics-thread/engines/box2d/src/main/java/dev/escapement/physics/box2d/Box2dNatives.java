package dev.escapement.physics.box2d;

import com.badlogic.gdx.Version;
import com.badlogic.gdx.physics.box2d.Box2D;
import com.badlogic.gdx.utils.GdxNativesLoader;
import com.badlogic.gdx.utils.SharedLibraryLoadRuntimeException;
import com.badlogic.gdx.utils.SharedLibraryLoader;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Loads the native libraries of Box2D and libGDX, unless the game has loaded them. Call it before you create the first object of Box2D:
 * without a library, that would fail with an error that does not name the missing library.
 *
 * <pre>{@code
 * Box2dNatives.load();
 * World world = new World(new Vector2(0, -9.81f), true);
 * }</pre>
 *
 * <p>Any thread may load. Nothing is ever unloaded: another world may still need it.
 *
 * @see Box2dWorldSimulation
 */
public final class Box2dNatives {

    private Box2dNatives() {}

    /**
     * Loads the libraries once per JVM; after a failure the next call tries again.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public static synchronized void load() {
        String platform = NativeResource.runningPlatform();
        if (!SharedLibraryLoader.isLoaded("gdx-box2d")) {
            library(platform, "gdx", Version.VERSION).require(GdxNativesLoader.class);
            library(platform, "gdx-box2d", Box2dWorldSimulation.VERSION).require(Box2D.class);
        }
        try { // does nothing if they are loaded
            GdxNativesLoader.load();
            Box2D.init();
        } catch (SharedLibraryLoadRuntimeException e) { // the libraries exist, but the operating system refuses one
            throw library(platform, "gdx-box2d", Box2dWorldSimulation.VERSION).explain(e);
        }
    }

    /** Returns a library for a platform; one jar contains the libraries of all platforms. */
    static NativeResource library(String platform, String name, String version) {
        return NativeResource.of(
                "Box2D",
                platform,
                "com.badlogicgames.gdx:%s-platform:" + version + ":natives-desktop",
                "linux amd64   " + name + " /lib" + name + "64.so",
                "linux aarch64 " + name + " /lib" + name + "arm64.so",
                "windows amd64 " + name + " /" + name + "64.dll",
                "macos amd64   " + name + " /lib" + name + "64.dylib",
                "macos aarch64 " + name + " /lib" + name + "arm64.dylib");
    }
}
