package dev.escapement.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The figures for machines. The keys are the names of the components of the records that hold them. */
public final class JsonFile {

    /** Enums under the names that people see. */
    private static final JsonSerializer<Enum<?>> NAMES = (value, type, context) -> new JsonPrimitive(value.toString());

    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .registerTypeHierarchyAdapter(Enum.class, NAMES)
            .create();

    private JsonFile() {}

    /** The text of the file. */
    public static String text(Object record) {
        return GSON.toJson(record) + "\n";
    }

    /** Writes the file, whole or not at all. */
    public static void write(Path file, Object record) {
        WholeFile.write(file, text(record).getBytes(StandardCharsets.UTF_8));
    }
}
