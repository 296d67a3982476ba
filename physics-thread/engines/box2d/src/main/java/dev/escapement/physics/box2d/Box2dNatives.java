package dev.escapement.physics.box2d;

import com.badlogic.gdx.Version;
import com.badlogic.gdx.physics.box2d.Box2D;
import com.badlogic.gdx.utils.GdxNativesLoader;
import com.badlogic.gdx.utils.SharedLibraryLoadRuntimeException;
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
        try { // does nothing if they are loaded
            GdxNativesLoader.load();
            Box2D.init();
        } catch (SharedLibraryLoadRuntimeException e) {
            library(NativeResource.runningPlatform(), "gdx", Version.VERSION).require();
            NativeResource box2d = library(NativeResource.runningPlatform(), "gdx-box2d", Box2dWorldSimulation.VERSION);
            box2d.require();
            throw box2d.explain(e); // the libraries exist, but the operating system refuses one
        }
    }

    /** Returns a library for a platform; one jar contains the libraries of all platforms. */
    static NativeResource library(String platform, String name, String version) {
        String file = switch (platform) {
            case "linux amd64" -> "/lib" + name + "64.so";
            case "linux aarch64" -> "/lib" + name + "arm64.so";
            case "windows amd64" -> "/" + name + "64.dll";
            case "macos amd64" -> "/lib" + name + "64.dylib";
            case "macos aarch64" -> "/lib" + name + "arm64.dylib";
            default ->
                throw new UnsupportedPlatformException("libGDX offers no native library of Box2D for " + platform
                        + ": use Linux or macOS on amd64 or aarch64, or Windows on amd64");
        };
        String coordinates = "com.badlogicgames.gdx:" + name + "-platform:" + version + ":natives-desktop";
        return new NativeResource("Box2D", platform, coordinates, file);
    }
}
