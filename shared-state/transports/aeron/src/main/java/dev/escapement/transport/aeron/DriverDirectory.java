package dev.escapement.transport.aeron;

import io.aeron.CommonContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * The directories of embedded drivers: in shared memory where there is some. Each tells the process that made it, and when that was
 * started: a number of a process is used again.
 */
final class DriverDirectory {

    /** So long after its last sign of life a driver is taken for dead, if its process cannot be asked. */
    static final long ALIVE_MILLIS = 1000;

    private static final Path PARENT = Objects.requireNonNull(
            Path.of(CommonContext.getAeronDirectoryName()).toAbsolutePath().getParent());
    private static final String PREFIX = "escapement-" + System.getProperty("user.name") + "-";
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private DriverDirectory() {}

    /** The name of a new directory; purges those of dead processes. */
    static Path create() {
        list().filter(DriverDirectory::isDead).forEach(DriverDirectory::delete);
        ProcessHandle self = ProcessHandle.current();
        return PARENT.resolve(PREFIX + self.pid() + "-" + startMark(self) + "-" + NUMBERS.incrementAndGet());
    }

    /** Those of living processes, the newest first. */
    static List<Path> living() {
        return list().filter(directory -> !isDead(directory))
                .sorted(Comparator.comparing(DriverDirectory::modified).reversed())
                .toList();
    }

    static void delete(Path directory) {
        IoUtil.delete(directory.toFile(), true);
    }

    private static Stream<Path> list() {
        try (Stream<Path> files = Files.list(PARENT)) {
            return files.filter(file -> file.getFileName().toString().startsWith(PREFIX)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of Aeron's drivers cannot be read: " + PARENT, e);
        }
    }

    /** A process of another container may have it: as long as the driver gives signs of life, it is none of ours to delete. */
    private static boolean isDead(Path directory) {
        String[] parts =
                directory.getFileName().toString().substring(PREFIX.length()).split("-", -1);
        if (parts.length != 3) {
            return false;
        }
        boolean runs = ProcessHandle.of(Long.parseLong(parts[0]))
                .filter(ProcessHandle::isAlive)
                .filter(process -> parts[1].equals(startMark(process)))
                .isPresent();
        return !runs && !CommonContext.isDriverActive(directory.toFile(), ALIVE_MILLIS, message -> {});
    }

    private static String startMark(ProcessHandle process) {
        return Integer.toHexString(
                process.info().startInstant().map(Object::hashCode).orElse(0));
    }

    private static long modified(Path directory) {
        try {
            return Files.getLastModifiedTime(directory).toMillis();
        } catch (IOException gone) {
            return 0;
        }
    }
}
