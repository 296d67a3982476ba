package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The metadata for GraalVM's native images, in META-INF/native-image of the modules that need any. */
class NativeImageTest {

    private static final Pattern NAMED = Pattern.compile("\"(type|glob)\": \"([^\"]+)\"");

    @Test
    void shouldNameWhatThereIs() throws Exception {
        Set<String> ours = new TreeSet<>();
        List<MatchResult> named = new ArrayList<>();
        for (Path file : resources()) {
            if (file.endsWith("reachability-metadata.json")) {
                NAMED.matcher(Files.readString(file)).results().forEach(named::add);
            } else if (file.toString().contains("/dev/")) {
                ours.add(file.toString().replaceFirst(".*/resources/", ""));
            }
        }
        assertThat(ours).hasSizeGreaterThan(20);
        for (MatchResult each : named) {
            String name = each.group(2);
            if (each.group(1).equals("type")) {
                Class.forName(name, false, NativeImageTest.class.getClassLoader());
            } else {
                PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + name);
                ours.removeIf(file -> matcher.matches(Path.of(file)));
            }
        }
        assertThat(ours).as("in no metadata").isEmpty();
    }

    private static List<Path> resources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", ".."))) {
            return files.filter(file -> file.toString().matches("(?!.*benchmarks).*/src/main/resources/.*\\..*"))
                    .toList();
        }
    }
}
