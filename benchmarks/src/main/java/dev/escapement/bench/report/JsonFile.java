package dev.escapement.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.escapement.bench.measure.RunResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The figures for machines. The keys are the names of {@link RunResult}'s components. */
public final class JsonFile {

    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private JsonFile() {}

    /** The text of the file. */
    public static String text(RunResult result) {
        return GSON.toJson(result) + "\n";
    }

    /** Writes the file, whole or not at all. */
    public static void write(Path file, RunResult result) {
        WholeFile.write(file, text(result).getBytes(StandardCharsets.UTF_8));
    }
}
