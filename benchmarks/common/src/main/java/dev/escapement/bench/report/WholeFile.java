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

/** Writes files so that a failed write leaves no partial file. */
public final class WholeFile {

    private WholeFile() {}

    /**
     * Checks that a file can be written. Call it before a run whose results would otherwise be lost. Throws an {@link
     * IllegalArgumentException} if it cannot be written.
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

    /** Says in words why a file cannot be read or written, because the message of many JDK exceptions is only the path. */
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

    /** Writes a temporary file in the same folder, then renames it to {@code file}. */
    public static void write(Path file, byte[] content) {
        try {
            // A temporary file made by the JDK would be readable only by its owner. Nobody can guess this name and
            // place a link there, and CREATE_NEW would refuse to follow it.
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
