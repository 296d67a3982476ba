package dev.escapement.physics.replay;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A ring of memory-mapped files, of which each is a log that starts with a saved state. What is in them survives the process, however it
 * ends; not the machine.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Whenever the process ends, each file is a valid log up to its last record, or none. A record is there when its length is: the
 *       length is stored last, and zeros are where the next one begins before that, so that no older record follows it.</li>
 *   <li>The files are written full at the start, never sparse: a disk that is full later ends nothing here.</li>
 *   <li>A ring that is being copied does not turn; the thread that appends never waits for that.</li>
 * </ol>
 *
 * <p><b>Threads.</b> One appends and turns; any thread copies.
 */
final class FlightRing {

    /** How many files there are. */
    static final int FILES = 8;

    private static final String FILE = "ring-";
    private static final int ZEROS_BYTES = 2 * Integer.BYTES;
    private static final int CHUNK_BYTES = 1 << 20;
    private static final long COPY_SECONDS = 10;

    /** The folders that rings of this process have: to open and close a lock once more would end the lock of the process. */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel lock;
    private final List<ByteBuffer> files = new ArrayList<>();

    /** Held while the ring is copied, and while it turns. */
    private final Semaphore turning = new Semaphore(1);

    private int current = -1;

    private FlightRing(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Locks a folder, which is created if it does not exist. Throws an {@link IOException} if another ring has it. */
    static FlightRing lock(Path folder) throws IOException {
        Path real = Files.createDirectories(folder).toRealPath();
        FileChannel channel = null;
        if (OF_THIS_PROCESS.add(real)) {
            try {
                channel = FileChannel.open(real.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (channel.tryLock() != null) {
                    return new FlightRing(real, channel);
                }
            } catch (IOException | OverlappingFileLockException refused) {
                unlock(real, channel);
                throw refused;
            }
            unlock(real, channel);
        }
        throw new IOException("another flight recorder uses this folder; give each one of its own");
    }

    private static void unlock(Path folder, @Nullable FileChannel lock) throws IOException {
        try (lock) {
            OF_THIS_PROCESS.remove(folder);
        }
    }

    /** The parts that the last process has left: empty if it ended its ring. Before {@link #create}. */
    List<FlightPart> left() throws IOException {
        List<FlightPart> parts = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            Path path = path(file);
            if (Files.exists(path)) {
                try (FileChannel channel = FileChannel.open(path)) {
                    parts.addAll(FlightPart.of(path.toString(), map(channel, FileChannel.MapMode.READ_ONLY)));
                }
            }
        }
        return FlightPart.lastInARow(parts);
    }

    /** Creates the files. */
    void create(long fileBytes) throws IOException {
        for (int file = 0; file < FILES; file++) {
            Files.deleteIfExists(path(file));
        }
        ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (int file = 0; file < FILES; file++) {
            try (FileChannel channel = FileChannel.open(
                    path(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                for (long left = fileBytes; left > 0; ) {
                    left -= channel.write(zeros.clear().limit((int) Math.min(left, CHUNK_BYTES)));
                }
                files.add(map(channel, FileChannel.MapMode.READ_WRITE));
            }
        }
    }

    private static ByteBuffer map(FileChannel channel, FileChannel.MapMode mode) throws IOException {
        MappedByteBuffer mapped = channel.map(mode, 0, channel.size());
        return mapped.order(ByteOrder.LITTLE_ENDIAN);
    }

    private Path path(int file) {
        return folder.resolve(FILE + file);
    }

    Path folder() {
        return folder;
    }

    /** How many bytes still fit into the current file. Negative before the first turn. */
    int room() {
        return current < 0 ? -1 : files.get(current).remaining() - ZEROS_BYTES;
    }

    /** How many bytes a file has. */
    int fileBytes() {
        return files.get(0).capacity() - ZEROS_BYTES;
    }

    /** Appends a record, for which there is room. */
    void append(ByteBuffer record) {
        ByteBuffer file = files.get(current);
        int at = file.position();
        int end = at + record.remaining();
        int length = record.getInt(record.position());
        file.putLong(end, 0);
        file.position(at + Integer.BYTES);
        file.put(record.position(record.position() + Integer.BYTES));
        // A copying thread that reads the length also reads what is stored above: it fences too. And a process that
        // dies here leaves no length without a record.
        VarHandle.releaseFence();
        file.putInt(at, length);
    }

    /** Begins the next file with a header and a saved state. False if that is not possible now, because the ring is being copied. */
    boolean turn(ByteBuffer header, ByteBuffer state) {
        if (!turning.tryAcquire()) {
            return false;
        }
        try {
            int next = (current + 1) % FILES;
            ByteBuffer file = files.get(next);
            long magic = header.getLong(header.position());
            file.putLong(0, 0);
            VarHandle.releaseFence(); // from here on the file is none
            file.clear().position(Long.BYTES);
            file.put(header.position(header.position() + Long.BYTES)).put(state);
            file.putLong(file.position(), 0);
            VarHandle.releaseFence(); // from here on it is one again, with all that was stored above
            file.putLong(0, magic);
            current = next;
            return true;
        } finally {
            turning.release();
        }
    }

    /** Uses the parts that there are now, in their order. The ring does not turn meanwhile. */
    void copy(FlightPart.Use use) throws IOException {
        boolean acquired;
        try {
            acquired = turning.tryAcquire(COPY_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            acquired = false;
        }
        if (!acquired) {
            throw new IOException("another copy of the flight recorder's ring takes too long");
        }
        try {
            List<FlightPart> parts = new ArrayList<>();
            for (int file = 0; file < files.size(); file++) {
                parts.addAll(FlightPart.of(path(file).toString(), files.get(file)));
            }
            use.accept(FlightPart.lastInARow(parts));
        } finally {
            turning.release();
        }
    }

    /** Ends the ring. Nothing of it is left for the next start, unless that is to put it aside. */
    void end(boolean left) throws IOException {
        try {
            if (left) {
                return;
            }
            for (int file = 0; file < files.size(); file++) {
                files.get(file).putLong(0, 0); // also where a mapped file cannot be deleted
            }
            for (int file = 0; file < FILES; file++) { // also one that was not filled
                Files.deleteIfExists(path(file));
            }
        } finally {
            unlock(folder, lock);
        }
    }
}
