package dev.escapement.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes metrics for programs, as JSON. Keys are the names of the records' components. */
public final class JsonFile {

    /** The JSON writer. It writes enums under the names that people see. */
    private static final Gson GSON = new GsonBuilder()
            .registerTypeHierarchyAdapter(
                    Enum.class, (JsonSerializer<Enum<?>>) (value, type, context) -> new JsonPrimitive(value.toString()))
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private JsonFile() {}

    /** The content of the file. Components named in {@code opened} are replaced by their own components. */
    public static JsonElement tree(Object record, String... opened) {
        JsonElement tree = GSON.toJsonTree(record);
        for (String name : opened) {
            JsonObject whole = tree.getAsJsonObject();
            whole.remove(name).getAsJsonObject().entrySet().forEach(part -> whole.add(part.getKey(), part.getValue()));
        }
        return tree;
    }

    /** The text of the file. */
    public static String text(Object record, String... opened) {
        return GSON.toJson(tree(record, opened)) + "\n";
    }

    /** Writes the file, whole or not at all. */
    public static void write(Path file, Object record, String... opened) {
        WholeFile.write(file, text(record, opened).getBytes(StandardCharsets.UTF_8));
    }
}
