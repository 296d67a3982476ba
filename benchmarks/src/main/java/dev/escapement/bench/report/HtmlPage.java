package dev.escapement.bench.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/** Pages made of a template, in one file that needs no other. */
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
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(template), template)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Mustache.compiler().emptyStringIsFalse(true).compile(text).execute(values);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A plot as templates want it: {@code svg}, for a data address, and {@code caption}. */
    public static Map<String, String> plot(byte[] svg, String caption) {
        return Map.of("svg", Base64.getEncoder().encodeToString(svg), "caption", caption);
    }
}
