import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Reads the reports of all tests, prints the ten slowest, and fails if a test was skipped that .ci/skips does not allow here. */
class TestReport {

    private record Test(String type, String name, double seconds, String skipped) {

        static Test of(Element test) {
            NodeList skips = test.getElementsByTagName("skipped");
            Element skip = (Element) skips.item(0);
            String skipped = skip == null ? "" : (skip.getAttribute("message") + "\n" + skip.getTextContent() + "\nno reason").strip();
            double seconds = Double.parseDouble(test.getAttribute("time").replace(",", ""));
            return new Test(test.getAttribute("classname"), test.getAttribute("name"), seconds, skipped);
        }

        @Override
        public String toString() {
            return type.replaceFirst(".*\\.", "") + (name.isEmpty() ? "" : "#" + name);
        }
    }

    /** A row of .ci/skips. */
    private record Allowed(String type, String method, String where) {

        static Allowed of(String row) {
            String[] cells = row.split(" \\| ");
            String[] place = cells[0].split("#");
            return new Allowed(place[0], place.length == 1 ? "" : place[1], cells[1]);
        }

        /** Whether this place has skipped a test: the test itself, or a method in the stack trace of its skip. */
        boolean hasSkipped(Test test) {
            return test.type.endsWith("." + type) && test.name.startsWith(method)
                    || test.skipped.contains("." + type + "." + method + "(");
        }

        boolean holds() throws Exception {
            String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
            return switch (where.replaceFirst(" .*", "")) {
                case "not" -> !system.toLowerCase().startsWith(where.substring("not ".length()));
                case "java" -> Runtime.version().feature() < Integer.parseInt(where.substring("java below ".length()));
                case "windows" -> system.startsWith("Windows");
                case "slice" -> !"1/1".equals(System.getenv("SLICE"));
                case "mounts" -> new ProcessBuilder("sh", "-c", "unshare -rm mount -t tmpfs tmpfs /tmp").start().waitFor() != 0;
                case "without" -> isMissing(where.substring("without ".length()).split(" "));
                default -> throw new IllegalArgumentException("no condition of .ci/skips: " + where);
            };
        }

        private static boolean isMissing(String[] names) throws Exception {
            for (String name : names) {
                String find = name.startsWith("lib") ? "ldconfig -p | grep " + name : "command -v " + name + " || test -e " + name;
                if (new ProcessBuilder("sh", "-c", find).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() != 0) {
                    return true;
                }
            }
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        List<Test> tests = tests();
        System.out.println("The ten slowest of " + tests.size() + " tests, in seconds:");
        tests.stream()
                .sorted(Comparator.comparingDouble(Test::seconds).reversed())
                .limit(10)
                .forEach(test -> System.out.printf("%8.1f  %s%n", test.seconds, test));
        List<Allowed> allowed = Files.readAllLines(Path.of(".ci/skips")).stream()
                .filter(row -> !row.startsWith("#"))
                .map(Allowed::of)
                .toList();
        List<Test> skipped = tests.stream().filter(test -> !test.skipped.isEmpty()).toList();
        System.out.println(skipped.size() + " tests were skipped:");
        boolean failed = tests.isEmpty();
        if (failed) {
            System.out.println("FAULT: no module has a report; run mvn verify.");
        }
        for (Test test : skipped) {
            boolean isAllowed = false;
            for (Allowed row : allowed) {
                isAllowed |= row.hasSkipped(test) && row.holds();
            }
            failed |= !isAllowed;
            String line = test + ": " + test.skipped.lines().findFirst().orElse("");
            System.out.println(isAllowed ? "  " + line : "FAULT, which .ci/skips does not allow here: " + line);
        }
        System.exit(failed ? 1 : 0);
    }

    /** Returns the tests of all reports, without classes that no longer exist. */
    private static List<Test> tests() throws Exception {
        List<Path> reports;
        try (Stream<Path> files = Files.walk(Path.of(""))) {
            // The first folder "target" is that of a module. Clones below it, of a release say, have reports of their own.
            reports = files.filter(file -> file.toString().matches("((?!target/).)*target/surefire-reports/TEST-.*\\.xml"))
                    .toList();
        }
        List<Test> tests = new ArrayList<>();
        for (Path report : reports) {
            Path target = report.getParent().resolveSibling("test-classes");
            Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
            NodeList cases = document.getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                Test test = Test.of((Element) cases.item(i));
                if (Files.exists(target.resolve(test.type.replace('.', '/') + ".class"))) {
                    tests.add(test);
                }
            }
        }
        return tests;
    }
}
