package dev.escapement.state.exchange.stress;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;

/**
 * One run of jcstress and its results. Each run has its own process, because jcstress keeps its settings in static fields, and its own
 * folder, because jcstress writes into the folder in which it is started.
 */
final class JcstressRun {

    private final Path folder;
    private final boolean endedWell;
    private final Map<String, TestResult> byName = new TreeMap<>();

    /**
     * Runs jcstress to its end.
     *
     * @param folder    the folder of all output; created here
     * @param overrides a folder of classes to use instead of those in the jar, or none
     * @param tests     the full names of the tests
     * @param mode      how thoroughly to search
     */
    JcstressRun(Path folder, List<Path> overrides, Collection<String> tests, Mode mode)
            throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        endedWell = execute(overrides, tests, mode);
        InProcessCollector results = new InProcessCollector();
        for (Path file : resultFiles()) {
            readResults(file, results);
        }
        for (TestResult result : ReportUtils.mergedByName(results.getTestResults())) {
            byName.put(result.getName(), result);
        }
    }

    /** Returns whether jcstress itself reported no error, neither of the tests nor of its own work. */
    boolean endedWell() {
        return endedWell;
    }

    /** Returns the results by the tests' full names. A test that is missing here did not run. */
    Map<String, TestResult> results() {
        return byName;
    }

    private boolean execute(List<Path> overrides, Collection<String> tests, Mode mode)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        command.add("-cp");
        command.add(classPath(overrides));
        command.add(Main.class.getName());
        command.addAll(mode.options());
        command.addAll(List.of("-v", "-r", "html", "-t", "^(" + String.join("|", tests) + ")$"));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("jcstress.log").toFile())
                .start();
        if (process.waitFor(mode.limit.toSeconds(), TimeUnit.SECONDS)) {
            return process.exitValue() == 0;
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        return false;
    }

    /** Returns the class path with absolute names, because the process starts in another folder. */
    private static String classPath(List<Path> overrides) {
        Stream<Path> own = Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator))
                .map(Path::of);
        return Stream.concat(overrides.stream(), own)
                .map(path -> path.toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private List<Path> resultFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".bin.gz")).collect(Collectors.toList());
        }
    }

    private static void readResults(Path file, InProcessCollector results) throws IOException {
        DiskReadCollector reader = new DiskReadCollector(file.toString(), results);
        try {
            reader.dump();
        } catch (ClassNotFoundException e) {
            throw new IOException(file + " was written by another version of jcstress", e);
        } finally {
            reader.close();
        }
    }
}
