import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Plants faults in the built main code, one at a time, and says which test finds each: {@code .ci/planted/run}. Works on copies of classes
 * under {@code target/planted}; sources stay as they are.
 *
 * <pre>
 * run check              whether promises, tests, faults and code fit together; plants nothing
 * run rows [ID ...]      plants the faults that have a promise, and runs the test of each
 * run forty [ID ...]     plants the faults of forty.faults, and runs the tests of their modules until one fails
 * </pre>
 *
 * An ID is the name of a fault, or the beginning of the names of several faults. {@code JOBS=1} plants one fault at a time instead of two.
 */
class Plant {

    static final Path WORK = Path.of("target", "planted").toAbsolutePath();
    private static final Path FOLDER = Path.of(".ci", "planted");
    private static final int TEST_SECONDS = 120;
    private static final int MODULE_SECONDS = 900;

    /** Maximum number of tests of a module that may fail without the fault, too. After that many, the fault counts as missed. */
    private static final int ROUNDS = 5;

    public static void main(String[] args) throws Exception {
        List<Fault> rows = new ArrayList<>();
        List<Fault> forty = Fault.read(FOLDER.resolve("forty.faults"));
        for (String name : List.of("shared-state", "physics-thread", "render-thread", "benchmarks")) {
            rows.addAll(Fault.read(FOLDER.resolve(name + ".faults")));
        }
        List<String> contradictions = new Evidence().contradictions(rows, forty);
        contradictions.forEach(System.out::println);
        if (!contradictions.isEmpty()) {
            System.exit(1);
        }
        System.out.printf("%d rows and %d other faults fit the code%n", rows.size(), forty.size());
        if (args[0].equals("check")) {
            return;
        }
        List<String> ids = List.of(args).subList(1, args.length);
        List<Fault> faults = new ArrayList<>(args[0].equals("rows") ? rows : forty);
        for (String id : ids) {
            if (faults.stream().noneMatch(fault -> fault.id.startsWith(id))) {
                System.err.println("No fault of the " + args[0] + " begins with " + id + "; see .ci/planted/*.faults");
                System.exit(2);
            }
        }
        faults.removeIf(fault -> !ids.isEmpty() && ids.stream().noneMatch(fault.id::startsWith));
        System.exit(plantAll(faults) == faults.size() ? 0 : 1);
    }

    private static int plantAll(List<Fault> faults) throws Exception {
        compileRunner();
        ExecutorService jobs =
                Executors.newFixedThreadPool(Integer.parseInt(System.getenv().getOrDefault("JOBS", "2")));
        List<Future<Boolean>> results = new ArrayList<>();
        for (Fault fault : faults) {
            results.add(jobs.submit(() -> found(fault)));
        }
        int found = 0;
        for (Future<Boolean> result : results) {
            found += result.get() ? 1 : 0;
        }
        jobs.shutdown();
        System.out.printf("%d of %d found%n", found, faults.size());
        return found;
    }

    private static boolean found(Fault fault) throws Exception {
        long start = System.nanoTime();
        String result;
        try {
            result = plant(fault);
        } catch (Fault.OutOfStep e) {
            result = "MISSED: " + e.getMessage();
        }
        System.out.printf(
                "%-34s %4d s  %s%n", fault.id, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), result);
        System.out.flush();
        return result.startsWith("found");
    }

    private static String plant(Fault fault) throws Exception {
        Path folder = WORK.resolve(fault.id);
        delete(folder);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Map<BuiltModule, Path> planted = new LinkedHashMap<>();
        for (Map.Entry<String, String> file : fault.apply().entrySet()) {
            BuiltModule module = BuiltModule.of(file.getKey());
            Path copy = planted.computeIfAbsent(module, key -> folder.resolve("sources-" + key.name()));
            String inSources = file.getKey().substring(module.path().length() + 1);
            boolean isResource = inSources.startsWith("src/main/resources/");
            String name = inSources.replaceFirst("^src/main/(java|resources)/", "");
            write((isResource ? classes : copy).resolve(name), file.getValue());
        }
        for (Map.Entry<BuiltModule, Path> module : planted.entrySet()) {
            module.getKey().compile(module.getValue(), classes);
        }
        if (!fault.test.isEmpty()) {
            String[] test = fault.test.split(" ", 2);
            BuiltModule module = new BuiltModule(test[0]);
            String name = module.testName(test[1]);
            BuiltModule.Run run = module.run(classes, folder, List.of(name), TEST_SECONDS);
            if (!run.failed()) {
                if (fault.modules.isEmpty()) {
                    return "MISSED: " + name + (run.ran() ? " passes" : " runs no test");
                }
            } else {
                return foundBy(module, run, name, folder);
            }
        }
        List<String> known = new ArrayList<>(); // tests that fail without the fault, too
        for (String name : fault.modules) {
            BuiltModule module = new BuiltModule(name);
            BuiltModule.Run run = module.run(classes, folder, module.tests(fault), MODULE_SECONDS);
            for (int round = 0; run.failed() && round < ROUNDS; round++) {
                String result = foundBy(module, run, run.test(), folder);
                if (result.startsWith("found")) {
                    return result;
                }
                known.add("-" + run.test());
                run = module.run(
                        classes,
                        folder,
                        Stream.concat(known.stream(), module.tests(fault).stream())
                                .toList(),
                        MODULE_SECONDS);
            }
        }
        return fault.modules.isEmpty()
                ? "MISSED: names neither a test nor modules"
                : "MISSED: all tests pass" + (known.isEmpty() ? "" : " but, without the fault, too, " + known);
    }

    /** Reports which test has found the fault. A test that fails without the fault too has not found it. */
    private static String foundBy(BuiltModule module, BuiltModule.Run run, String test, Path folder) throws Exception {
        if (test.isEmpty() && !module.isJcstress()) {
            return "found: the tests of " + module.path() + " do not end";
        }
        BuiltModule.Run control = module.run(null, folder, List.of(test), TEST_SECONDS); // jcstress runs all its tests
        if (control.failed() || !control.ran()) {
            return "MISSED: " + test + " fails without the fault";
        }
        return "found by " + module.path() + " " + (run.test().isEmpty() ? test + " (does not end)" : run.test());
    }

    private static void compileRunner() throws IOException {
        Path runner = Path.of(".ci", "planted", "RunTests.java");
        BuiltModule.compileAll(List.of(runner), new BuiltModule("shared-state").runnerPath(), WORK.resolve("runner"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }
}
