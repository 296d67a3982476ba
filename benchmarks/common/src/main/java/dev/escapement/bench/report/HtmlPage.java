package dev.escapement.bench.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Pages made of a Mustache template, in one file that needs no other. A template begins with the part {@code head.html}, ends with
 * {@code foot.html}, and shows a {@link Table} with {@code table.html}.
 */
public final class HtmlPage {

    private HtmlPage() {}

    /**
     * A page.
     *
     * @param beside   a class whose package has the template
     * @param template the name of a Mustache template
     * @param values   what it names
     */
    public static String fill(Class<?> beside, String template, Map<String, Object> values) {
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .withLoader(part -> new StringReader(text(HtmlPage.class, part)))
                .compile(text(beside, template))
                .execute(values);
    }

    /** Writes a page, whole or not at all. */
    public static void write(Path file, String page) {
        WholeFile.write(file, page.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Class<?> beside, String resource) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
