package dev.escapement.transport.aeron;

import io.aeron.CommonContext;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * The directories of embedded drivers, in shared memory if the system has it. Their names contain the id and the start time of the process,
 * because systems reuse ids.
 */
final class DriverDirectory {

    /** The silence after which a driver counts as dead if its process cannot be found. */
    private static final long ALIVE_MILLIS = 3000;

    private static final long MIN_ROOM_BYTES = 32 << 20;

    /** The advice that ends messages about missing room. */
    static final String MORE_ROOM =
            "; make room there (Docker: --shm-size=256m), or start Java with -Daeron.dir=FOLDER/aeron to use another folder";

    private static final Path PARENT = Objects.requireNonNull(
            Path.of(CommonContext.getAeronDirectoryName()).toAbsolutePath().getParent());
    private static final String PREFIX = "escapement-" + System.getProperty("user.name") + "-";
    private static final Pattern OURS = Pattern.compile(Pattern.quote(PREFIX) + "(\\d{1,18})-([0-9a-f]+)-\\d+");

    /** The directories of this process. A shutdown hook deletes them, because the process may end without closing its drivers. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OWN.forEach(DriverDirectory::delete)));
    }

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private DriverDirectory() {}

    /** Names a new directory, and purges the directories of dead processes. */
    static Path create() {
        dead().forEach(DriverDirectory::delete);
        requireRoom();
        ProcessHandle self = ProcessHandle.current();
        Path created = PARENT.resolve(PREFIX + self.pid() + "-" + startMark(self) + "-" + NUMBERS.incrementAndGet());
        OWN.add(created);
        return created;
    }

    /** Throws if the parent folder has too little room: otherwise a write to a mapped file would fail without a reason. */
    private static void requireRoom() {
        long roomBytes = roomBytes(PARENT);
        if (roomBytes < MIN_ROOM_BYTES) {
            throw new IllegalStateException(PARENT + " has only " + (roomBytes >> 20)
                    + " MB left, but a driver and its first streams need " + (MIN_ROOM_BYTES >> 20) + MORE_ROOM);
        }
    }

    static long roomBytes(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException("the free space for Aeron's drivers cannot be read: " + folder, e);
        }
    }

    /** Allocates the room of a sparse file of zeros: else the driver ends when it writes to the file in a full folder. */
    static void fill(Path file) throws IOException {
        try (RandomAccessFile zeros = new RandomAccessFile(file.toFile(), "rw")) {
            zeros.write(new byte[(int) zeros.length()]);
        }
    }

    static void delete(Path directory) {
        IoUtil.delete(directory.toFile(), true);
        OWN.remove(directory);
    }

    private static List<Path> dead() {
        try (Stream<Path> files = Files.list(PARENT)) {
            return files.filter(DriverDirectory::isDead).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of Aeron's drivers cannot be read: " + PARENT, e);
        }
    }

    /**
     * Returns whether the process of a driver is dead. The process may be in another container, so a driver that gives signs of life is not
     * dead.
     */
    private static boolean isDead(Path directory) {
        Matcher parts = OURS.matcher(directory.getFileName().toString());
        return parts.matches()
                && ProcessHandle.of(Long.parseLong(parts.group(1)))
                        .filter(ProcessHandle::isAlive)
                        .filter(process -> parts.group(2).equals(startMark(process)))
                        .isEmpty()
                && !isActive(directory);
    }

    /** Returns whether the driver in a directory gives signs of life. */
    static boolean isActive(Path directory) {
        try {
            return CommonContext.isDriverActive(directory.toFile(), ALIVE_MILLIS, message -> {});
        } catch (Exception e) { // Agrona also throws checked exceptions
            return false; // the driver's process was killed during its start, or has another version
        }
    }

    private static String startMark(ProcessHandle process) {
        return Integer.toHexString(
                process.info().startInstant().map(Object::hashCode).orElse(0));
    }
}
