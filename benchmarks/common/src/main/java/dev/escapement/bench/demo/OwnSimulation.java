package dev.escapement.bench.demo;

import dev.escapement.physics.simulation.Simulation;
import java.io.File;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A simulation that a user wrote and named with --simulation: a public class that implements {@link Simulation}, with a public constructor
 * that takes the number of bodies or nothing.
 */
public final class OwnSimulation {

    private final Constructor<? extends Simulation> constructor;

    private OwnSimulation(Constructor<? extends Simulation> constructor) {
        this.constructor = constructor;
    }

    private static OwnSimulation load(String className, String classpath) {
        String problem = "--simulation " + className + " ";
        // The class loader is never closed, because the simulation may load more of its classes while it runs.
        ClassLoader loader = new URLClassLoader(urls(classpath), OwnSimulation.class.getClassLoader());
        try {
            Class<?> type = Class.forName(className, true, loader);
            if (!Simulation.class.isAssignableFrom(type)) {
                throw new IllegalArgumentException(problem + "does not implement " + Simulation.class.getName());
            }
            if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
                throw new IllegalArgumentException(problem + "must be a public class that is not abstract");
            }
            Class<? extends Simulation> own = type.asSubclass(Simulation.class);
            boolean takesBodies = Stream.of(own.getConstructors())
                    .anyMatch(found -> List.of(int.class).equals(List.of(found.getParameterTypes())));
            return new OwnSimulation(takesBodies ? own.getConstructor(int.class) : own.getConstructor());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "--simulation: there is no class " + className + " in --classpath '" + classpath
                            + "'; give its full name, with its package",
                    e);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    problem + "has no public constructor that takes the number of bodies (int) or nothing", e);
        } catch (LinkageError e) {
            throw unlinked(className, e);
        }
    }

    private static URL[] urls(String classpath) {
        return Stream.of(classpath.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(OwnSimulation::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        Path path = Path.of(entry);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException(
                    "--classpath: there is no jar or folder '" + entry + "' that can be read");
        }
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) { // the jar's or folder's path cannot be written as a URL
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return constructor.getDeclaringClass().getName();
    }

    /**
     * Creates a simulation.
     *
     * @param bodies the number of bodies, for a class whose constructor takes it
     * @throws IllegalArgumentException if its constructor throws
     */
    public Simulation create(int bodies) {
        try {
            return constructor.getParameterCount() == 1 ? constructor.newInstance(bodies) : constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "--simulation: the constructor of " + name() + " threw " + e.getCause(), e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw unlinked(name(), e);
        }
    }

    private static IllegalArgumentException unlinked(String className, Throwable e) {
        return new IllegalArgumentException(
                "--simulation " + className + " cannot be linked: " + e + "; are all its dependencies in --classpath?",
                e);
    }

    public static final class Options {

        @Option(
                names = "--simulation",
                paramLabel = "CLASS",
                description = "A Simulation of your own, by its full name.")
        private @Nullable String simulation;

        @Option(names = "--classpath", paramLabel = "JAR", description = "Jars and folders of that class.")
        private @Nullable String classpath;

        /** Created by picocli. */
        public Options() {}

        /**
         * The simulation of the user's own, if one was named.
         *
         * @param engine the engine, if one was named
         * @throws IllegalArgumentException if it cannot be loaded, a class path is given without a simulation, or an engine is named too
         */
        public Optional<OwnSimulation> load(@Nullable Engine engine) {
            if (simulation == null) {
                if (classpath != null) {
                    throw new IllegalArgumentException("--classpath needs --simulation CLASS");
                }
                return Optional.empty();
            }
            OwnSimulation own = OwnSimulation.load(simulation, classpath == null ? "" : classpath);
            if (engine != null) {
                throw new IllegalArgumentException("--simulation " + own.name() + " and --engine " + engine
                        + " exclude each other; leave one out");
            }
            return Optional.of(own);
        }
    }
}
