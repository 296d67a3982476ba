package dev.escapement.bench.stress.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a JVM has to have for a scenario to mean what it says.
 *
 * @param says       what is needed, in a few words
 * @param flags      of the JVM
 * @param singleCore whether it is to run on a single core, the first that this process may use
 * @param isMet      whether the JVM really has it, by its own word
 */
public record JvmDemand(String says, List<String> flags, boolean singleCore, Predicate<JvmFacts> isMet) {

    /** A JVM of its own is all that is needed. */
    public static final JvmDemand ANY = new JvmDemand("any JVM", List.of(), false, facts -> true);

    /** A single core. */
    public static final JvmDemand ONE_CORE =
            new JvmDemand("a single core", List.of(), true, facts -> facts.processors() == 1);

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /**
     * What a JVM says of itself.
     *
     * @param collectors the names of its garbage collectors
     * @param processors how many it may use
     */
    public record JvmFacts(List<String> collectors, int processors) {

        /** What the running JVM says. */
        public static JvmFacts ofThisJvm() {
            return new JvmFacts(
                    ManagementFactory.getGarbageCollectorMXBeans().stream()
                            .map(GarbageCollectorMXBean::getName)
                            .toList(),
                    Runtime.getRuntime().availableProcessors());
        }
    }

    /** A garbage collector: "G1", "PARALLEL" or "ZGC", with a heap so small that it has to work. */
    public static JvmDemand collector(String name) {
        // The beans of a collector share the start of their names; the rest differs from version to version.
        String beanPrefix = name.equals("PARALLEL") ? "PS" : name;
        String flag = name.equals("ZGC") ? "-XX:+UseZGC" : "-XX:+Use" + (name.equals("G1") ? "G1" : "Parallel") + "GC";
        return new JvmDemand(
                "the collector " + name,
                List.of(flag, "-Xmx512m"),
                false,
                facts -> !facts.collectors().isEmpty()
                        && facts.collectors().stream().allMatch(bean -> bean.startsWith(beanPrefix)));
    }

    /**
     * The command that starts the JVM's, if any.
     *
     * @throws SkippedException if this platform has none
     */
    List<String> launcher() throws SkippedException {
        if (!singleCore) {
            return List.of();
        }
        Path taskset = ChildProcess.onPath("taskset")
                .orElseThrow(() -> new SkippedException("taskset is not on the PATH (Debian: util-linux)"));
        if (!Files.isReadable(STATUS)) {
            throw new SkippedException(STATUS + ", which names the cores of a process, is not there; Linux has it");
        }
        return List.of(taskset.toString(), "-c", firstCore());
    }

    /** Of a list such as "0-3,8". */
    private static String firstCore() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).strip().split("[-,]", 2)[0])
                    .findFirst()
                    .orElse("0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return says;
    }
}
