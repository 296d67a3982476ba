package dev.escapement.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The figures for machines. The keys are the names of the components of the records that hold them. */
public final class JsonFile {

    /** Enums are written under the names that people see. */
    private static final Gson WITHIN_HTML = new GsonBuilder()
            .registerTypeHierarchyAdapter(
                    Enum.class, (JsonSerializer<Enum<?>>) (value, type, context) -> new JsonPrimitive(value.toString()))
            .registerTypeHierarchyAdapter(
                    Enum.class, (JsonDeserializer<Enum<?>>) (json, type, context) -> constant(json, type))
            .create();

    private static final Gson GSON =
            WITHIN_HTML.newBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private JsonFile() {}

    /** The text of the file. Of components that are named as opened, their own stand in their place. */
    public static String text(Object record, String... opened) {
        JsonElement tree = GSON.toJsonTree(record);
        for (String name : opened) {
            JsonObject whole = tree.getAsJsonObject();
            whole.remove(name).getAsJsonObject().entrySet().forEach(part -> whole.add(part.getKey(), part.getValue()));
        }
        return GSON.toJson(tree) + "\n";
    }

    /** In one line, with {@code <}, {@code >} and {@code &} escaped, so that nothing in it ends a script. */
    static String withinHtml(Object value) {
        return WITHIN_HTML.toJson(value);
    }

    /** Writes the file, whole or not at all. */
    public static void write(Path file, Object record, String... opened) {
        WholeFile.write(file, text(record, opened).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads what {@link #write} wrote. A component that the file does not have is null, so a record must look at its own.
     *
     * @throws IllegalArgumentException if it is no such file
     */
    public static <T> T read(Path file, Class<T> record) {
        try {
            T read = GSON.fromJson(Files.readString(file), record);
            if (read == null) {
                throw new IllegalArgumentException(file + " is empty");
            }
            return read;
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + WholeFile.why(e), e);
        } catch (JsonParseException e) {
            throw new IllegalArgumentException(file + " does not hold a " + record.getSimpleName() + ": " + e, e);
        }
    }

    private static Enum<?> constant(JsonElement json, Type type) {
        Object[] constants = ((Class<?>) type).getEnumConstants();
        return (Enum<?>) Arrays.stream(constants)
                .filter(constant -> constant.toString().equals(json.getAsString()))
                .findFirst()
                .orElseThrow(() -> new JsonParseException(json + " is none of " + Arrays.toString(constants)));
    }
}
