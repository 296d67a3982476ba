package dev.escapement.physics.box2d;

import com.badlogic.gdx.physics.box2d.Box2D;
import com.badlogic.gdx.utils.GdxNativesLoader;
import com.badlogic.gdx.utils.SharedLibraryLoadRuntimeException;

/**
 * Loads the native libraries of Box2D and of libGDX, which bodies use, unless the game has loaded them. Call it before the first object of
 * Box2D is created: without a library, that would fail with an error that does not say what is missing.
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
     * Loads once per JVM; after a failure the next call tries again.
     *
     * @throws SharedLibraryLoadRuntimeException if a library is missing or refused; libGDX names it and the platform
     */
    public static synchronized void load() {
        GdxNativesLoader.load();
        Box2D.init();
    }
}
