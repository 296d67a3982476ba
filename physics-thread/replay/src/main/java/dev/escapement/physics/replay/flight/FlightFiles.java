package dev.escapement.physics.replay.flight;

import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Archives the parts of a flight recorder's ring in files: one file for each fault, at most {@value #MAX} in all. If there are more,
 * removes the oldest; never overwrites a file. Any thread.
 */
final class FlightFiles {

    private static final int MAX = 20;
    private static final String NAME = "flight-";
    private static final String END = ".esclog";
    private static final String PART = ".part";

    private final Path folder;

    FlightFiles(Path folder) {
        this.folder = folder;
    }

    /** Returns a key of the fault, which is a part of the file's name. Equal faults have equal keys. */
    static String key(FlightReport report) {
        return HexFormat.of().toHexDigits((report.reason() + report.thrown() + report.place()).hashCode());
    }

    /** Writes a new file and logs its name, unless the folder has a file of the same fault. */
    void archive(List<FlightPart> parts, FlightReport report) throws IOException {
        String end = "-" + key(report) + END;
        List<Path> same = files("*" + end);
        if (!same.isEmpty() && report.reason() != Reason.DIED) { // two deaths may have different causes
            FailureReport.warn(() -> "The flight recorder has a file of this fault already: " + same.get(0) + "; tick "
                    + report.tick() + " " + report.event() + " again. Without that file it writes a new one.");
            return;
        }
        String name =
                NAME + report.reason().name().toLowerCase(Locale.ROOT).replace('_', '-') + "-tick-" + report.tick();
        Path file = folder.resolve(name + end);
        for (int again = 2; Files.exists(file); again++) {
            file = folder.resolve(name + "-" + again + end);
        }
        write(file, parts, report);
        String says = "The flight recorder has archived " + file + ": tick " + report.tick() + " " + report.event()
                + ". Repeat it with 'replay " + file + "', or in Java with InputLog.open(Path.of(\"" + file
                + "\")).repeat(() -> world).";
        FailureReport.warn(() -> says);
        removeOldest();
    }

    /** Writes parts as one log to a new file, which has the whole log or does not exist. */
    static void write(Path file, List<FlightPart> parts, FlightReport report) throws IOException {
        if (parts.isEmpty()) {
            throw new IOException("nothing was recorded yet");
        }
        Path part = file.resolveSibling(file.getFileName() + PART);
        if (Files.exists(part)) {
            String why = "another save writes it, or its process died; then remove it, or save to another file";
            throw new FileAlreadyExistsException(part.toString(), null, why);
        }
        FileChannel created = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try { // the file was created before: the catch must not delete a file of another writer
            try (FileChannel channel = created) {
                String time = Files.getLastModifiedTime(part).toString(); // this library reads no wall clock
                OutputStream log = Channels.newOutputStream(channel);
                ByteBuffer header =
                        parts.get(0).header().with(writtenAt(time, report)).encode();
                log.write(header.array(), header.arrayOffset(), header.remaining());
                for (FlightPart records : parts) {
                    records.copyTo(log);
                }
                log.write(LogFormat.end().array());
                channel.force(true);
            }
            if (Files.exists(file)) {
                throw new IOException(file + " exists, and no log is ever overwritten; name another");
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (Throwable failed) {
            Files.deleteIfExists(part); // else the next save to this file would fail, too
            throw failed;
        }
    }

    private static FlightReport writtenAt(String time, FlightReport of) {
        return new FlightReport(of.reason(), of.tick(), of.thrown(), of.place(), of.detail(), time, of.origin());
    }

    /** Removes the unfinished files of a process that died. */
    void removeParts() throws IOException {
        for (Path part : files("*" + PART)) {
            Files.deleteIfExists(part);
        }
    }

    private List<Path> files(String glob) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, NAME + glob)) {
            all.forEach(files::add);
        }
        return files;
    }

    private void removeOldest() throws IOException {
        List<Path> oldestFirst = files("*" + END);
        oldestFirst.sort(Comparator.comparingLong(file -> file.toFile().lastModified()));
        for (Path oldest : oldestFirst.subList(0, Math.max(0, oldestFirst.size() - MAX))) {
            Files.deleteIfExists(oldest);
        }
    }
}
