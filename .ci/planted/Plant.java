import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Plants faults in the built main code, one at a time, and says which test finds each: {@code .ci/planted/run}. Works on copies of classes
 * under {@code target/planted}; sources stay as they are.
 *
 * <pre>
 * run check [FILE ...]             whether promises, tests, faults and code fit together, and rows of other files; plants nothing
 * run rows [3/8] [ID ...]          plants the faults that have a promise, all or a slice, and runs the test of each
 * run forty [ID ...]               plants the faults of forty.faults, and runs the tests of their modules until one fails
 * run matrix COUNT SEED [ID ...]   plants rows that the seed draws, and runs all tests of their module and all contracts of engines
 * run table                        prints when each row was planted last, and how its test found it
 * </pre>
 *
 * An ID is the name of a fault, or the beginning of the names of several faults. {@code JOBS=1} plants one fault at a time instead of two.
 */
class Plant {

    static final Path WORK = Path.of("target", "planted").toAbsolutePath();
    private static final Path FOLDER = Path.of(".ci", "planted");

    /** The time limit of a test: this, and some times what the test takes without the fault. */
    private static final int HANG_SECONDS = 20;

    private static final int HANG_FACTOR = 4;
    private static final int TEST_SECONDS = 300;
    private static final int MODULE_SECONDS = 600;

    private static final List<String> ENGINES = List.of("jolt", "physx", "bullet", "ode4j", "box2d", "dyn4j");

    /** Maximum number of tests of a module that may fail without the fault, too. After that many, the fault counts as missed. */
    private static final int ROUNDS = 5;

    public static void main(String[] args) throws Exception {
        List<Fault> rows = new ArrayList<>();
        List<Fault> forty = Fault.read(FOLDER.resolve("forty.faults"));
        for (String name : List.of("shared-state", "physics-thread", "render-thread", "benchmarks")) {
            rows.addAll(Fault.read(FOLDER.resolve(name + ".faults")));
        }
        List<String> ids = new ArrayList<>(List.of(args).subList(1, args.length));
        if (args[0].equals("check")) {
            for (String file : ids) {
                rows.addAll(Fault.read(Path.of(file)));
            }
        }
        List<String> contradictions = new Evidence().contradictions(rows, forty);
        contradictions.forEach(System.out::println);
        if (!contradictions.isEmpty()) {
            System.exit(1);
        }
        System.out.printf("%d rows and %d other faults fit the code%n", rows.size(), forty.size());
        Diary diary = new Diary();
        switch (args[0]) {
            case "check" -> {}
            case "table" -> diary.print(rows);
            case "rows" -> {
                List<Fault> slice = slice(rows, ids);
                int found = plantAll(slice, fault -> found(fault, diary));
                diary.printSummary(rows);
                System.exit(found == slice.size() ? 0 : 1);
            }
            case "forty" -> {
                List<Fault> chosen = chosen(forty, ids);
                System.exit(plantAll(chosen, fault -> found(fault, diary)) == chosen.size() ? 0 : 1);
            }
            case "matrix" -> {
                List<Fault> drawn = new ArrayList<>(rows);
                drawn.removeIf(fault -> new BuiltModule(fault.test.split(" ")[0]).isJcstress());
                Collections.shuffle(drawn, new Random(Long.parseLong(ids.remove(1))));
                int count = Integer.parseInt(ids.remove(0));
                plantAll(chosen(drawn.subList(0, Math.min(count, drawn.size())), ids), Plant::finders);
            }
            default -> stop("There is no command " + args[0] + ": check, rows, forty, matrix, table");
        }
    }

    /** Returns the faults of a slice such as 3/8, if the first argument is one, and of the names that follow. */
    private static List<Fault> slice(List<Fault> faults, List<String> arguments) {
        if (arguments.isEmpty() || !arguments.get(0).contains("/")) {
            return chosen(faults, arguments);
        }
        String slice = arguments.remove(0);
        if (!slice.matches("[1-9]\\d{0,2}/[1-9]\\d{0,2}")
                || Integer.parseInt(slice.replaceFirst("/.*", "")) > Integer.parseInt(slice.replaceFirst(".*/", ""))) {
            stop("A slice of the rows is a part and a number of parts such as 3/8, not " + slice);
        }
        int part = Integer.parseInt(slice.replaceFirst("/.*", ""));
        int parts = Integer.parseInt(slice.replaceFirst(".*/", ""));
        return chosen(
                IntStream.range(0, faults.size())
                        .filter(i -> i % parts == part - 1)
                        .mapToObj(faults::get)
                        .toList(),
                arguments);
    }

    private static List<Fault> chosen(List<Fault> faults, List<String> ids) {
        for (String id : ids) {
            if (faults.stream().noneMatch(fault -> fault.id.startsWith(id))) {
                stop("No fault of these " + faults.size() + " begins with " + id + "; see .ci/planted/*.faults");
            }
        }
        return faults.stream()
                .filter(fault -> ids.isEmpty() || ids.stream().anyMatch(fault.id::startsWith))
                .toList();
    }

    private static void stop(String message) {
        System.err.println(message);
        System.exit(2);
    }

    private interface Planting {
        boolean plant(Fault fault) throws Exception;
    }

    private static int plantAll(List<Fault> faults, Planting planting) throws Exception {
        compileRunner();
        ExecutorService jobs =
                Executors.newFixedThreadPool(Integer.parseInt(System.getenv().getOrDefault("JOBS", "2")));
        List<Future<Boolean>> results = new ArrayList<>();
        int found = 0;
        try {
            for (Fault fault : faults) {
                results.add(jobs.submit(() -> planting.plant(fault)));
            }
            for (Future<Boolean> result : results) {
                found += result.get() ? 1 : 0;
            }
        } finally {
            jobs.shutdownNow(); // also after a fault that cannot be planted: else the process would wait for ever
        }
        System.out.printf("%d of %d found%n", found, faults.size());
        return found;
    }

    private static boolean found(Fault fault, Diary diary) throws Exception {
        long start = System.nanoTime();
        String result;
        try {
            Path folder = folder(fault);
            result = plant(fault, folder, classes(fault, folder));
        } catch (Fault.OutOfStep e) {
            result = "MISSED: " + e.getMessage();
        }
        System.out.printf(
                "%-34s %4d s  %s%n", fault.id, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), result);
        System.out.flush();
        diary.write(fault, result);
        return result.startsWith("found");
    }

    private static Path folder(Fault fault) throws IOException {
        Path folder = WORK.resolve(fault.id);
        delete(folder);
        return folder;
    }

    /** Returns the folder of the compiled classes, and changed resources, of all modules in which the fault is planted. */
    private static Path classes(Fault fault, Path folder) throws IOException {
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
        return classes;
    }

    private static String plant(Fault fault, Path folder, Path classes) throws Exception {
        if (!fault.test.isEmpty()) {
            String[] test = fault.test.split(" ", 2);
            BuiltModule module = new BuiltModule(test[0]);
            String name = module.testName(test[1]);
            BuiltModule.Run control = module.run(null, folder, List.of(name), TEST_SECONDS);
            if (control.failed()) {
                return "MISSED: " + name
                        + (control.way().equals("nothing")
                                ? " runs nothing"
                                : " fails without the fault, by " + control.way());
            }
            BuiltModule.Run run = module.run(
                    classes, folder, List.of(name), HANG_SECONDS + HANG_FACTOR * (int) control.seconds());
            boolean anyWay = fault.promise.isEmpty() && List.of("assertion", "hang", "crash").contains(run.way());
            if (anyWay || run.way().equals(fault.found)) {
                return "found by " + run.way() + " in " + name;
            }
            if (run.failed()) {
                return "MISSED: should be found by " + fault.found + ", but was by " + run.way() + " in " + name + " "
                        + run.test();
            }
            if (fault.modules.isEmpty()) {
                return "MISSED: " + name + " passes";
            }
        }
        List<String> known = new ArrayList<>(); // tests that fail without the fault, too
        for (String name : fault.modules) {
            BuiltModule module = new BuiltModule(name);
            BuiltModule.Run run = module.run(classes, folder, module.tests(fault), MODULE_SECONDS);
            for (int round = 0; run.failed() && round < ROUNDS; round++) {
                if (run.test().isEmpty() || !fails(module, run.test(), folder)) {
                    return "found by " + run.way() + " in " + module.path() + " " + run.test();
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

    private static boolean fails(BuiltModule module, String test, Path folder) throws Exception {
        return module.run(null, folder, List.of(test), TEST_SECONDS).failed();
    }

    /** Prints all tests that find the fault, of the row's module and of the contracts of each engine that uses the changed code. */
    private static boolean finders(Fault fault) throws Exception {
        Path folder = folder(fault);
        Path classes = classes(fault, folder);
        List<BuiltModule> changed = fault.hunks.keySet().stream().map(BuiltModule::of).toList();
        String own = fault.test.split(" ")[0];
        Set<String> names = new LinkedHashSet<>(List.of(own));
        ENGINES.stream()
                .map("physics-thread/engines/"::concat)
                .filter(engine -> changed.stream().anyMatch(new BuiltModule(engine)::uses))
                .forEach(names::add);
        boolean found = false;
        for (String name : names) {
            BuiltModule module = new BuiltModule(name);
            List<String> tests = module.tests(fault);
            tests.removeIf(test -> !name.equals(own) && !test.contains("Contract"));
            tests.add(0, "all");
            BuiltModule.Run run = module.run(classes, folder, tests, MODULE_SECONDS);
            List<String> finders = module.failures(folder);
            if (finders.isEmpty() && run.failed()) {
                finders = List.of(run.way() + " of the process");
            }
            for (String finder : finders) {
                System.out.printf("%s\t%s\t%s%n", fault.id, name, finder);
                found = true;
            }
        }
        System.out.flush();
        return found;
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
