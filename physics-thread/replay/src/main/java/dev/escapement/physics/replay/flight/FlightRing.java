package dev.escapement.physics.replay.flight;

import dev.escapement.physics.replay.format.LogSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A ring of files, of which each is a log that starts with a saved state. What is in them survives the process, however it ends; not the
 * machine.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Whenever the process ends, each file is a valid log up to its last record, or none. A record is there when its length is: the
 *       length is written last, and zeros are where the next one begins before that, so that no older record follows it.</li>
 *   <li>The files are written full at the start, never sparse: a disk that is full later ends nothing here.</li>
 *   <li>The thread that appends never waits for a copy, and leaves nothing out because of one: it turns to the oldest file as ever. A copy
 *       that finds a file overwritten begins again, with one file less.</li>
 * </ol>
 *
 * <p>Records are written, and not stored into mapped memory: both survive the process, but where a mapped store cannot reach the disk, JDK 17
 * throws an InternalError later, in any code of the thread, and so would fail the service.
 *
 * <p><b>Threads.</b> One appends and turns; any thread copies.
 */
final class FlightRing {

    /** How many files there are. */
    static final int FILES = 8;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final String FILE = "ring-";
    private static final int ZEROS_BYTES = 2 * Integer.BYTES;
    private static final int CHUNK_BYTES = 1 << 13;
    private static final int MARK_BYTES = 1 << 10;

    /** The folders that rings of this process have: to open and close a lock once more would end the lock of the process. */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path folder;

    /** Also has the {@linkplain #mark mark}. Not a FileChannel, which an interrupt closes. */
    private final RandomAccessFile lock;

    private final List<RandomAccessFile> files = new ArrayList<>();

    /** Of each file what says whether it is still the same; null where the system cannot tell. */
    private final List<@Nullable Object> keys = new ArrayList<>();

    // Twice the number of turns; odd during one. It is so before a file is overwritten: a copier that finds, after its
    // last read of a file, that no turn to this file has begun, has read what was there.
    private final AtomicLong turns = new AtomicLong();

    Function<Path, LogSource> reading = LogSource.File::new; // tests let it stop

    /** Set before the files go: another ring may have the folder then. Volatile: a thread that copies reads it after its last read. */
    private volatile boolean ended;

    /** Where the next record begins. */
    private int end;

    private int fileBytes;

    /** What is written at once: longer writes would allocate in native memory. */
    private final byte[] chunk = new byte[CHUNK_BYTES];

    /** Opens a file of a ring for writing; tests let it fail. */
    @FunctionalInterface
    interface Opener {

        RandomAccessFile open(Path file) throws IOException;
    }

    private FlightRing(Path folder, RandomAccessFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Locks a folder, which is created if it does not exist. Throws an {@link IOException} if another ring has it. */
    static FlightRing lock(Path folder) throws IOException {
        Path real = Files.createDirectories(folder).toRealPath();
        RandomAccessFile lock = null;
        if (OF_THIS_PROCESS.add(real)) {
            try {
                lock = new RandomAccessFile(real.resolve("lock").toFile(), "rw");
                if (lock.getChannel().tryLock() != null) {
                    return new FlightRing(real, lock);
                }
            } catch (IOException | OverlappingFileLockException refused) {
                unlock(real, lock);
                throw refused;
            }
            unlock(real, lock);
        }
        throw new IOException("another flight recorder uses this folder; give each one of its own");
    }

    private static void unlock(Path folder, @Nullable RandomAccessFile lock) throws IOException {
        try (lock) {
            OF_THIS_PROCESS.remove(folder);
        }
    }

    /** The parts that are in the newest files, in their order. Before {@link #create}, the parts that a process that died has left. */
    List<FlightPart> parts(int atMost) throws IOException {
        long last = Math.max(FILES, turns.get() / 2);
        List<FlightPart> parts = new ArrayList<>();
        for (long turn = last - atMost + 1; turn <= last; turn++) {
            long next = turn + FILES;
            int file = fileOf(turn);
            BooleanSupplier isThere = () -> {
                VarHandle.acquireFence(); // not before the file was read
                return (turns.get() + 1) / 2 < next && !ended && !isReplaced(file);
            };
            parts.addAll(FlightPart.of(reading.apply(path(file)), isThere));
            if (!isThere.getAsBoolean()) {
                throw new FlightPart.OverwrittenException();
            }
        }
        return FlightPart.lastInARow(parts);
    }

    private static int fileOf(long turn) {
        return (int) ((turn - 1) % FILES);
    }

    /** Creates the files. */
    void create(int bytes, Opener opener) throws IOException {
        fileBytes = bytes - ZEROS_BYTES;
        for (int file = 0; file < FILES; file++) {
            Files.deleteIfExists(path(file));
        }
        mark(""); // with its bytes on the disk; after the files that the last mark was about
        for (int file = 0; file < FILES; file++) {
            RandomAccessFile created = opener.open(path(file));
            files.add(created);
            keys.add(key(file));
            for (int left = bytes; left > 0; left -= CHUNK_BYTES) {
                created.write(chunk, 0, Math.min(left, CHUNK_BYTES));
            }
        }
    }

    /** Says in the folder why nothing more is recorded, where that can be written. Needs no more room on the disk. */
    void mark(Object text) {
        try {
            lock.seek(0);
            lock.write(Arrays.copyOf(text.toString().getBytes(StandardCharsets.UTF_8), MARK_BYTES));
        } catch (IOException | OutOfMemoryError alsoFailed) {
            // the log has it
        }
    }

    /** What the last ring in this folder was marked with; empty if it was not. Call it before {@link #create}. */
    String marked() throws IOException {
        byte[] text = new byte[(int) Math.min(MARK_BYTES, lock.length())];
        lock.seek(0);
        lock.readFully(text);
        return new String(text, StandardCharsets.UTF_8).trim(); // without the zeros
    }

    /** Whether the file that is written is in the folder. If not, the folder was removed or replaced, and all is lost with the process. */
    boolean isThere() {
        int file = fileOf(Math.max(1, turns.get() / 2));
        try {
            return keys.size() <= file || Objects.equals(keys.get(file), key(file));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Whether another file has its place. A file that is gone was read before, or cannot be. */
    private boolean isReplaced(int file) {
        try {
            return file < keys.size() && !Objects.equals(keys.get(file), key(file));
        } catch (IOException gone) {
            return false;
        }
    }

    private @Nullable Object key(int file) throws IOException {
        return Files.readAttributes(path(file), BasicFileAttributes.class).fileKey();
    }

    /** Throws if the files are not {@linkplain #isThere() there}. */
    void requireThere() throws IOException {
        if (ended) {
            throw new IOException("it ended before its files were copied");
        }
        if (!isThere()) {
            throw new IOException("its files in " + folder + " were removed or replaced while it wrote them");
        }
    }

    private Path path(int file) {
        return folder.resolve(FILE + file);
    }

    Path folder() {
        return folder;
    }

    /** How many bytes still fit into the current file. Negative before the first turn. */
    int room() {
        return turns.getPlain() == 0 ? -1 : fileBytes - end;
    }

    /** How many bytes a file has for a header and records. */
    int fileBytes() {
        return fileBytes;
    }

    /** Appends a record, for which there is room. */
    void append(ByteBuffer record) throws IOException {
        RandomAccessFile file = files.get(fileOf(turns.getPlain() / 2));
        int at = end;
        int length = record.getInt();
        file.seek(at + (long) Integer.BYTES);
        end = at + Integer.BYTES + record.remaining();
        write(file, record, ZEROS_BYTES);
        file.seek(at);
        write(file, record.clear().putInt(0, length).limit(Integer.BYTES), 0); // last: now the record is there
    }

    /** Begins the next file, which is the oldest one, with a header and a saved state. */
    void turn(ByteBuffer header, ByteBuffer state) throws IOException {
        long begun = turns.getPlain() + 1;
        turns.set(begun);
        VarHandle.fullFence(); // before the file is written: see turns
        RandomAccessFile file = files.get(fileOf((begun + 1) / 2));
        file.seek(0);
        write(file, NONE, Long.BYTES); // from here on the file is none
        end = header.remaining() + state.remaining();
        write(file, header.position(Long.BYTES), 0);
        write(file, state, ZEROS_BYTES);
        file.seek(0);
        write(file, header.position(0).limit(Long.BYTES), 0); // from here on it is one again
        turns.setRelease(begun + 1); // after the file was written: a copier that acquires it finds the file
    }

    /** Writes what remains of bytes, and zeros behind it. */
    private void write(RandomAccessFile file, ByteBuffer bytes, int zeros) throws IOException {
        while (bytes.remaining() > CHUNK_BYTES - zeros) {
            int next = Math.min(CHUNK_BYTES, bytes.remaining()); // less, if only the zeros have no room
            bytes.get(chunk, 0, next);
            file.write(chunk, 0, next);
        }
        int last = bytes.remaining();
        bytes.get(chunk, 0, last);
        Arrays.fill(chunk, last, last + zeros, (byte) 0);
        file.write(chunk, 0, last + zeros);
    }

    /**
     * Uses the parts that there are now, in their order; again with fewer of them, if one was overwritten before it was read. One copy at a
     * time: two would remove the same oldest files.
     */
    synchronized void copy(FlightPart.Use use) throws IOException {
        for (int atMost = FILES; atMost > 0; atMost--) {
            requireThere();
            try {
                use.accept(parts(atMost));
                return;
            } catch (FlightPart.OverwrittenException meanwhile) {
                // with fewer
            }
        }
        throw new IOException(
                "all " + FILES + " files of the flight recorder's ring were overwritten while it was copied;"
                        + " give it more with maxBytes(...)");
    }

    /** Ends the ring. Nothing of it is left for the next start, unless that is to put it aside. */
    void end(boolean left) throws IOException {
        try {
            boolean isKept = left || !isThere(); // in its place may be the ring of another process
            ended = true; // before the files go, and before another ring may have the folder
            for (RandomAccessFile file : files) {
                file.close();
            }
            for (int file = 0; file < FILES && !isKept; file++) { // also one that was not filled
                Files.deleteIfExists(path(file));
            }
        } finally {
            unlock(folder, lock);
        }
    }
}
