package dev.escapement.cluster.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a folder for one node, until its process ends. Aeron's own check would refuse a node for 10 s after it was killed. */
final class FolderLock {

    private FolderLock() {}

    /**
     * Takes a folder, which is created if missing.
     *
     * @return to be closed when the folder is free again
     * @throws IllegalStateException if another node has it
     * @throws UncheckedIOException  if it cannot be written
     */
    static FileChannel take(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return channel;
                }
            } catch (OverlappingFileLockException inThisProcess) {
                // refused below
            }
            channel.close();
            throw new IllegalStateException(
                    "another node keeps its log in " + folder + "; each node needs a folder of its own");
        } catch (IOException e) {
            throw new UncheckedIOException("the log of a node cannot be kept in " + folder + ": " + e, e);
        }
    }
}
