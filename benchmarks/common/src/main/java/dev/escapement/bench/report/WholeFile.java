package dev.escapement.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes files whole or not at all. */
public final class WholeFile {

    private WholeFile() {}

    /**
     * Checks that a file can be written. Call it before the run, whose results would be lost otherwise. Throws an {@link
     * IllegalArgumentException} if it cannot.
     */
    public static void checkWritable(String option, Path file) {
        Path folder = folderOf(file);
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".escapement", ".tmp"));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    option + ": the folder " + folder + " cannot be written to ("
                            + (e instanceof NoSuchFileException ? "it cannot be created" : why(e))
                            + "); name another",
                    e);
        }
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(option + ": " + file + " is a folder, not a file");
        }
    }

    /** Says in words why a file cannot be read or written: many of the JDK's exceptions have only the path as message. */
    public static String why(IOException e) {
        if (e instanceof FileAlreadyExistsException) {
            return "a file of that name exists";
        }
        if (e instanceof AccessDeniedException) {
            return "access denied";
        }
        if (e instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        if (e instanceof CharacterCodingException) {
            return "it is no text";
        }
        String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
        return reason == null ? "the system gives no reason" : reason;
    }

    /** Writes a temporary file in the same folder, then renames it. */
    public static void write(Path file, byte[] content) {
        try {
            // The JDK's temporary files are unsuitable, because only their owner may read them. Nobody can guess this
            // name, and the write does not follow a link of this name, because the file has to be new.
            Path temporary = folderOf(file).resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
            try {
                Files.write(temporary, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be written: " + why(e), e);
        }
    }

    private static Path folderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file.toAbsolutePath() : folder;
    }
}
