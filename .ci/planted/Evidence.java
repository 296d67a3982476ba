import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The table of promises in {@code shared-state/docs/evidence.md}: which test proves the promise of each row. */
final class Evidence {

    private static final Path PAGE = Path.of("shared-state", "docs", "evidence.md");

    /** | id | promise | where | level | test |, where a test outside of the section's module names its own. */
    private static final Pattern ROW = Pattern.compile("\\| `([a-z0-9-]+)` \\| (.+) \\| (.+)"
            + " \\| (model|jcstress|unit|contract|seeded|soak)"
            + " \\| (none: .+|`(?:(\\S+) )?([\\w.]+(?:#\\w+)?)`) \\|");

    private static final Pattern SECTION = Pattern.compile("### .*`(\\S+)`.*");

    /** The tests by the ids of rows, as {@code MODULE Class#method}; empty where a row says that there is none. */
    final Map<String, String> tests = new LinkedHashMap<>();

    private final Map<String, List<Path>> sources = testSources();

    Evidence() throws IOException {
        String module = "";
        for (String line : Files.readAllLines(PAGE)) {
            Matcher section = SECTION.matcher(line);
            if (section.matches()) {
                module = section.group(1);
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String test =
                        row.group(7) == null ? "" : (row.group(6) == null ? module : row.group(6)) + " " + row.group(7);
                if (tests.put(row.group(1), test) != null) {
                    throw new IllegalArgumentException(PAGE + " has two rows " + row.group(1));
                }
            } else if (line.startsWith("| `")) {
                throw new IllegalArgumentException(PAGE + " has a row of another form: " + line);
            }
        }
    }

    /** Returns the contradictions: rows without a fault, faults without a row, tests and lines of code that are not there. */
    List<String> contradictions(List<Fault> rows, List<Fault> others) throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> planted = new HashSet<>();
        for (Fault fault : rows) {
            planted.add(fault.id);
            if (!tests.containsKey(fault.id)) {
                found.add("the fault " + fault.id + " has no row in " + PAGE);
            }
        }
        for (Fault fault : Stream.concat(rows.stream(), others.stream()).toList()) {
            try {
                fault.apply();
            } catch (Fault.OutOfStep e) {
                found.add(fault.id + ": " + e.getMessage());
            }
            if (!fault.test.isEmpty() && !exists(fault.test)) {
                found.add(fault.id + " names a test that does not exist: " + fault.test);
            }
        }
        for (Map.Entry<String, String> row : tests.entrySet()) {
            if (!planted.contains(row.getKey())) {
                found.add("the row " + row.getKey() + " has no fault in .ci/planted");
            }
            if (!row.getValue().isEmpty() && !exists(row.getValue())) {
                found.add("the row " + row.getKey() + " names a test that does not exist: " + row.getValue());
            }
        }
        return found;
    }

    private boolean exists(String test) throws IOException {
        String[] parts = test.split("[ #]");
        for (Path file : sources(parts[1].replaceFirst("\\..*", ""))) {
            if (file.startsWith(parts[0]) && (parts.length == 2 || declares(file, parts[2], new HashSet<>()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a class, or one that it extends, has a method or a rule of this name. */
    private boolean declares(Path file, String name, Set<Path> seen) throws IOException {
        if (!seen.add(file)) {
            return false;
        }
        String text = Files.readString(file);
        if (Pattern.compile("\\b" + name + "( =|\\()").matcher(text).find()) {
            return true;
        }
        Matcher base = Pattern.compile("extends (\\w+)").matcher(text);
        while (base.find()) {
            for (Path other : sources(base.group(1))) {
                if (declares(other, name, seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<Path> sources(String type) {
        return sources.getOrDefault(type, List.of());
    }

    /** The sources of tests, by the simple names of their classes. */
    private static Map<String, List<Path>> testSources() throws IOException {
        Map<String, List<Path>> sources = new HashMap<>();
        for (String top : List.of("shared-state", "physics-thread", "render-thread", "benchmarks")) {
            Files.walkFileTree(Path.of(top), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".java")
                            && file.toString().replace('\\', '/').matches(".*(/test/|jcstress/).*")) {
                        sources.computeIfAbsent(name.replace(".java", ""), key -> new ArrayList<>())
                                .add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return sources;
    }
}
