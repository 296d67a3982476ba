package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Simulation;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that no static field keeps a game's class loader. A server loads the library once, and many games one after the other. */
class ClassLoaderLeakTest {

    @Test
    void shouldKeepNoClassLoaderOfTheFirstUser() throws Exception {
        try (URLClassLoader library = library()) {
            WeakReference<ClassLoader> game = new WeakReference<>(play(library));
            for (int look = 0; look < 100 && !game.refersTo(null); look++) {
                System.gc();
            }
            assertThat(game.refersTo(null)).as("the game was collected").isTrue();
        }
    }

    /** Returns a loader with its own copy of the library's classes, so that the game's calls initialise their static fields. */
    private static URLClassLoader library() throws MalformedURLException {
        List<URL> locations = new ArrayList<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            for (String entry : System.getProperty(property, "").split(File.pathSeparator, -1)) {
                locations.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(locations.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static @Nullable Object answer(Object proxy, Method method, Object... arguments) throws Throwable {
        return method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : null;
    }

    private static ClassLoader play(ClassLoader library) throws Exception {
        Thread player = Thread.currentThread();
        ClassLoader before = player.getContextClassLoader();
        ClassLoader game = new URLClassLoader(new URL[0], library);
        player.setContextClassLoader(game);
        try {
            Class<?> simulationType = library.loadClass(Simulation.class.getName());
            Object simulation =
                    Proxy.newProxyInstance(library, new Class<?>[] {simulationType}, ClassLoaderLeakTest::answer);
            Object builder = library.loadClass(PhysicsService.class.getName())
                    .getMethod("builder", simulationType)
                    .invoke(null, simulation);
            AutoCloseable service =
                    (AutoCloseable) builder.getClass().getMethod("start").invoke(builder);
            AutoCloseable reader =
                    (AutoCloseable) service.getClass().getMethod("newReader").invoke(service);
            reader.getClass().getMethod("acquire").invoke(reader);
            reader.close();
            service.close();
        } finally {
            player.setContextClassLoader(before);
        }
        return game;
    }
}
