package dev.escapement.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes metrics as JSON, for programs. The keys are the names of the components of records. */
public final class JsonFile {

    /** Writes enums by the names that people see, which {@code toString} returns. */
    private static final Gson GSON = new GsonBuilder()
            .registerTypeHierarchyAdapter(
                    Enum.class, (JsonSerializer<Enum<?>>) (value, type, context) -> new JsonPrimitive(value.toString()))
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private JsonFile() {}

    /** Returns the content of a file. Components of {@code record} named in {@code opened} are replaced by their own components. */
    public static JsonElement tree(Object record, String... opened) {
        JsonElement tree = GSON.toJsonTree(record);
        for (String name : opened) {
            JsonObject whole = tree.getAsJsonObject();
            whole.remove(name).getAsJsonObject().entrySet().forEach(part -> whole.add(part.getKey(), part.getValue()));
        }
        return tree;
    }

    public static String text(Object record, String... opened) {
        return GSON.toJson(tree(record, opened)) + "\n";
    }

    /** Writes a file. After a failed write the file does not exist or keeps its old content. */
    public static void write(Path file, Object record, String... opened) {
        WholeFile.write(file, text(record, opened).getBytes(StandardCharsets.UTF_8));
    }
}
