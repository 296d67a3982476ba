package dev.escapement.bench.stress.child;

import dev.escapement.bench.child.ChildProcess;
import dev.escapement.bench.stress.trial.SkippedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A single core, the first that this process may use. */
public final class OneCore implements JvmDemand {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    @Override
    public List<String> launcher() throws SkippedException {
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
    public boolean isMetBy(JvmFacts child) {
        return child.processors() == 1;
    }

    @Override
    public String toString() {
        return "a single core";
    }
}
