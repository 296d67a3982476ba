package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.platform.NativeResource;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Plays a game in class loaders such as those of mods. A program for a JVM of its own. */
final class GameLoaders {

    private static final ClassLoader JVM = ClassLoader.getPlatformClassLoader();

    private GameLoaders() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "binding in the parent" ->
                play(loader(entry -> !isBinding(entry), loader(GameLoaders::isBinding, JVM)));
            case "Escapement in the parent" -> play(loader(GameLoaders::isGame, loader(entry -> !isGame(entry), JVM)));
            case "child first, nested jars" -> {
                new FallingBox().run();
                play(new Nested());
            }
            default -> reload();
        }
    }

    /** Loads a game, plays it and drops it, twice. */
    private static void reload() throws Exception {
        for (int game = 0; game < 2; game++) {
            WeakReference<ClassLoader> loader = new WeakReference<>(play(loader(entry -> true, JVM)));
            for (int look = 0; look < 100 && !loader.refersTo(null); look++) {
                System.gc();
            }
            System.out.println(loader.refersTo(null) ? "collected" : "kept");
        }
    }

    private static ClassLoader play(ClassLoader loader) throws Exception {
        Object game =
                loader.loadClass(FallingBox.class.getName()).getConstructor().newInstance();
        try {
            ((Runnable) game).run();
        } catch (UnsatisfiedLinkError e) {
            System.out.println("no native method " + e.getMessage());
        }
        if (loader instanceof URLClassLoader files) {
            files.close();
        }
        return loader;
    }

    /** Selects the classes of jolt-jni, and not its native library. */
    static boolean isBinding(String entry) {
        return entry.matches(".*jolt-jni-[^/]*\\d\\.jar");
    }

    private static boolean isGame(String entry) {
        return entry.matches(".*(jolt-jni-[^/]*\\.jar|/jolt/target/(test-)?classes)");
    }

    /** Returns a loader of entries of the class path, whose separators are slashes. */
    static URLClassLoader loader(Predicate<String> entries, ClassLoader parent) throws IOException {
        return new URLClassLoader(urls(entries), parent);
    }

    /** Returns a loader of a folder and of the class path, in this order. */
    static URLClassLoader loader(Path folder) throws IOException {
        List<URL> urls = new ArrayList<>(List.of(urls(entry -> true)));
        urls.add(0, folder.toUri().toURL());
        return new URLClassLoader(urls.toArray(URL[]::new), JVM);
    }

    private static URL[] urls(Predicate<String> entries) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entries.test(entry.replace('\\', '/'))) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    /**
     * Prefers its own classes to those of the program, which has loaded the same classes and a library of its own. Gives streams and no
     * URL of the files, as from jars in a jar.
     */
    private static final class Nested extends ClassLoader {

        private final ClassLoader files = loader(entry -> true, JVM);

        Nested() throws IOException {
            super(GameLoaders.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> loaded = findLoadedClass(name);
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (loaded != null || in == null || name.startsWith("java.")) {
                    return loaded != null ? loaded : super.loadClass(name, resolve);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            return files.getResourceAsStream(name);
        }

        @Override
        public @Nullable URL getResource(String name) {
            return null;
        }
    }

    /** A game whose box falls on the physics thread. */
    public static final class FallingBox implements Runnable {

        /** Prints whether the box fell, and what another class loader than this game's has loaded. */
        @Override
        public void run() {
            JoltGameWorld world = new JoltGameWorld();
            Body box = world.addBox(0, 9);
            JoltWorldSimulation simulation = world.simulate();
            simulation.attach(box, 1);
            try (PhysicsService physics = PhysicsService.start(simulation)) {
                while (physics.lastPublishedTick() < 3 && !physics.hasEnded()) {
                    Thread.onSpinWait();
                }
            }
            double y = box.getPosition().y();
            simulation.close();
            world.close();
            ClassLoader own = getClass().getClassLoader();
            System.out.println((y < 9 ? "fell" : "hung at " + y)
                    + (Jolt.class.getClassLoader() == own ? "" : ", binding elsewhere")
                    + (NativeResource.class.getClassLoader() == own ? "" : ", Escapement elsewhere"));
        }
    }
}
