package dev.escapement.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The figures for machines. The keys are the names of the components of the records that hold them. */
public final class JsonFile {

    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .registerTypeHierarchyAdapter(Enum.class, new EnumNames())
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
            throw new IllegalArgumentException(file + " cannot be read: " + e, e);
        } catch (JsonParseException e) {
            throw new IllegalArgumentException(file + " does not hold a " + record.getSimpleName() + ": " + e, e);
        }
    }
}
