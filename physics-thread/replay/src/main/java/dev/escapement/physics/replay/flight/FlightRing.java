package dev.escapement.physics.replay.flight;

import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.usercode.FailureReport;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A ring of log files, each of which starts with a saved state. The files survive any end of the process, but not a crash of the machine.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Whenever the process ends, each file is a valid log up to its last whole record, or not yet a log.</li>
 *   <li>The thread that appends never waits for a copy, which another thread, the keeper, makes. No file is removed while it is
 *       copied.</li>
 *   <li>A turn, which is the change to the next file, takes a file that the keeper has created and opened. Until there is one, records go
 *       to the current file. If that file reaches twice its size, the appending thread does the keeper's work itself, except during a
 *       copy: a keeper that gets no time does not end the ring.</li>
 *   <li>The ring touches no file of another ring, even if someone replaced its folder: its file names are unique. Files that someone
 *       removed are missing in copies, until newer files have replaced them.</li>
 * </ol>
 *
 * <p>An output stream writes the records. Mapped memory would survive the process, too, but where a mapped store cannot reach the disk, JDK
 * 17 throws an InternalError later, in any code of the thread: that would fail the service. A FileChannel would close on an interrupt.
 *
 * <p><b>Threads.</b> One thread appends and turns. The keeper, one thread at a time, prepares, copies and removes files, and ends the ring.
 */
final class FlightRing {

    /**
     * The number of files: 6 for the time to keep, the current one, and one in reserve, because a file may be full before its part of the
     * time is over. Besides them there are the prepared file, which is empty, and files that the keeper has yet to remove.
     */
    static final int FILES = 8;

    private static final String FILE = "ring-";
    private static final int CHUNK_BYTES = 1 << 13;

    /**
     * The folders of this process's rings. Opening a folder's lock file a second time would not do: closing that file would release the
     * lock of the first ring.
     */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final RandomAccessFile lock;
    private int fileBytes;
    Opener opener = file -> new FileOutputStream(file.toFile()); // tests replace it by one that fails
    Function<Path, LogSource> reading = LogSource.File::new; // tests replace it by one that blocks

    /** The files of the ring, the oldest first. */
    private final List<Path> files = new CopyOnWriteArrayList<>();

    private OutputStream output = OutputStream.nullOutputStream();
    private long room = -1;

    /** Held while files are copied or removed. The appending thread only tries to take it. */
    private final ReentrantLock copying = new ReentrantLock();

    // Volatile: the keeper's write in prepare pairs with the read in turn, which thereby sees the open file.
    private volatile @Nullable Prepared prepared;

    /** Copy buffer for writes. Longer writes would allocate native memory. */
    private final byte[] chunk = new byte[CHUNK_BYTES];

    /** The next file, open and empty, or the failure to create it. */
    private record Prepared(
            Path file, OutputStream output, @Nullable IOException failure) {}

    /** Copies the parts of the ring. */
    @FunctionalInterface
    interface Copier {

        void copy(List<FlightPart> parts) throws IOException;
    }

    @FunctionalInterface
    interface Opener {

        OutputStream open(Path file) throws IOException;
    }

    private FlightRing(Path folder, RandomAccessFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Locks a folder, and creates it if necessary. Throws an {@link IOException} if another ring has locked it. */
    static FlightRing lock(Path folder) throws IOException {
        Path real = Files.createDirectories(folder).toRealPath();
        String used =
                "another flight recorder uses this folder, or still archives a file there; give each one of its own";
        if (!OF_THIS_PROCESS.add(real)) {
            throw new IOException(used);
        }
        RandomAccessFile lock = null;
        try {
            lock = new RandomAccessFile(real.resolve("lock").toFile(), "rw");
            if (lock.getChannel().tryLock() == null) {
                throw new IOException(used);
            }
            return new FlightRing(real, lock);
        } catch (Throwable refused) {
            unlock(real, lock);
            throw refused;
        }
    }

    private static void unlock(Path folder, @Nullable RandomAccessFile lock) throws IOException {
        try (lock) {
            OF_THIS_PROCESS.remove(folder);
        }
    }

    Path folder() {
        return folder;
    }

    /** Returns the parts that a dead process has left in the folder. Call it before {@link #create}. */
    List<FlightPart> ofDeadProcess() throws IOException {
        return parts(filesInFolder());
    }

    private List<Path> filesInFolder() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, FILE + "*")) {
            all.forEach(found::add);
        }
        return found;
    }

    /** Removes the files of a dead process, sets the size of a ring file, and prepares the first one. */
    void create(int newFileBytes) throws IOException {
        for (Path file : filesInFolder()) {
            Files.deleteIfExists(file);
        }
        fileBytes = newFileBytes;
        prepared = open();
    }

    /** Returns how many bytes still fit into the current file. Negative before the first file is used, and if a file exceeds its size. */
    long room() {
        return room;
    }

    /** Whether to turn now: to the prepared file, or to a new one, because the keeper has had no time to prepare one. */
    boolean mayTurn() {
        return prepared != null || room < -fileBytes;
    }

    int fileBytes() {
        return fileBytes;
    }

    /** Appends a record. A file may grow to the size of the whole ring, because a record must not wait for the next file. */
    void append(ByteBuffer record) throws IOException {
        room -= record.remaining();
        if (room < -(FILES - 1) * (long) fileBytes) {
            throw new IOException("its ring has no room for a record of " + record.remaining()
                    + " bytes in the file that began with the last saved state; give it more with maxBytes(...)");
        }
        write(record);
    }

    /**
     * Begins the next file with a header and a saved state. Without a prepared file this creates one, which takes up to a millisecond.
     *
     * @param keeper creates, closes and removes files on another thread, because that takes long
     */
    void turn(ByteBuffer header, ByteBuffer state, Executor keeper) throws IOException {
        if (files.size() > 2 * FILES && removeOldest() && files.size() > 2 * FILES) {
            throw new IOException("its old files cannot be removed from " + folder);
        }
        Prepared next = prepared;
        boolean isLate = next == null;
        if (next == null) {
            next = open();
        } else {
            prepared = null;
        }
        if (next.failure != null) {
            throw next.failure;
        }
        OutputStream full = output;
        output = next.output;
        files.add(next.file);
        room = (long) fileBytes - header.remaining() - state.remaining();
        write(header);
        write(state);
        if (isLate) { // else open files would collect before a keeper without time
            full.close();
            removeOldest();
        } else {
            keeper.execute(() -> prepare(full));
        }
    }

    /** Closes a full file, prepares the next one unless one is prepared, and removes the oldest. */
    private void prepare(OutputStream full) {
        try {
            full.close();
            if (prepared == null) {
                prepared = open();
            }
        } catch (Throwable failed) {
            IOException failure =
                    new IOException("its next file cannot be created: " + FailureReport.why(failed), failed);
            prepared = new Prepared(folder, OutputStream.nullOutputStream(), failure);
        }
        removeOldest();
    }

    private Prepared open() throws IOException {
        Path file = Files.createTempFile(folder, FILE, "");
        try {
            return new Prepared(file, opener.open(file), null);
        } catch (Throwable failed) {
            Files.deleteIfExists(file);
            throw failed;
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int next = Math.min(CHUNK_BYTES, bytes.remaining());
            bytes.get(chunk, 0, next);
            output.write(chunk, 0, next);
        }
    }

    /** Returns whether it could try, that is, unless the other thread copies or removes files. */
    private boolean removeOldest() {
        if (!copying.tryLock()) {
            return false;
        }
        try {
            while (files.size() > FILES) {
                Files.deleteIfExists(files.get(0));
                files.remove(0);
            }
        } catch (IOException inUse) {
            // tried again with the next file
        } finally {
            copying.unlock();
        }
        return true;
    }

    /** Copies the current parts of the ring, none of which disappears meanwhile. */
    void copy(Copier copier) throws IOException {
        copying.lock();
        try {
            copier.copy(parts());
        } finally {
            copying.unlock();
        }
    }

    /** Returns the current parts of the ring. */
    List<FlightPart> parts() throws IOException {
        return parts(files);
    }

    private List<FlightPart> parts(List<Path> some) throws IOException {
        List<FlightPart> parts = new ArrayList<>();
        for (Path file : some) {
            parts.addAll(FlightPart.of(reading.apply(file)));
        }
        return FlightPart.lastInARow(parts);
    }

    /** Removes the ring's files, unless the next start needs them, and unlocks the folder. Idempotent. */
    void end(boolean isNeeded) throws IOException {
        if (!lock.getChannel().isOpen()) {
            return;
        }
        try {
            output.close();
            Prepared unused = prepared;
            if (unused != null && unused.failure == null) {
                unused.output.close();
                Files.deleteIfExists(unused.file);
            }
            for (Path file : isNeeded ? List.<Path>of() : files) {
                Files.deleteIfExists(file);
            }
        } finally {
            unlock(folder, lock);
        }
    }
}
