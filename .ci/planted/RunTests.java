import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests, classes or methods ({@code Class#method}), until one fails, and prints {@code FAILED way test}. Tests whose arguments begin
 * with a minus may fail; with the argument {@code all} all tests run, and each that fails is printed. The exit code is 0 if no test ended
 * the program, 1 if one did, 3 if none ran. {@link Plant} starts this program with the class path of a module.
 */
class RunTests {

    private static final int FAILED = 1;
    private static final int NONE_RAN = 3;

    public static void main(String[] args) throws Exception {
        List<DiscoverySelector> selectors = Stream.of(args)
                .filter(arg -> !arg.startsWith("-") && !arg.equals("all"))
                .flatMap(RunTests::selectors)
                .toList();
        Watch watch = new Watch(Stream.of(args)
                .filter(arg -> arg.startsWith("-"))
                .map(arg -> arg.substring(1))
                .toList(), List.of(args).contains("all"));
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectors)
                                .build(),
                        watch);
        end(watch.passed > 0 ? 0 : NONE_RAN);
    }

    /** Halts, because tests may have left threads running, and ends their programs, such as a browser, which would outlive a halt. */
    private static void end(int code) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(code);
    }

    private static Stream<DiscoverySelector> selectors(String test) {
        int hash = test.indexOf('#');
        if (hash < 0) {
            return Stream.of(selectClass(test));
        }
        String name = test.substring(hash + 1);
        try {
            List<DiscoverySelector> methods = Stream.<Class<?>>iterate(
                            Class.forName(test.substring(0, hash), false, RunTests.class.getClassLoader()),
                            type -> type != null,
                            Class::getSuperclass)
                    .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                    .filter(method -> method.getName().equals(name) && !method.isSynthetic())
                    .<DiscoverySelector>map(
                            method -> selectMethod(test.substring(0, hash) + "#" + name + parameters(method)))
                    .toList();
            return methods.isEmpty() ? fields(test.substring(0, hash), name) : methods.stream();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(test + " is no test: " + e, e);
        }
    }

    /** Selects the class for the name of a rule of ArchUnit, because such a rule is a field. */
    private static Stream<DiscoverySelector> fields(String type, String name) throws ClassNotFoundException {
        if (Stream.of(Class.forName(type).getDeclaredFields())
                .noneMatch(field -> field.getName().equals(name))) {
            throw new IllegalArgumentException(type + " has no test " + name);
        }
        return Stream.of(selectClass(type));
    }

    private static String parameters(Method method) {
        return Stream.of(method.getParameterTypes())
                .map(Class::getName)
                .toList()
                .toString()
                .replace('[', '(')
                .replace(']', ')')
                .replace(" ", "");
    }

    /** Ends the process when a test fails that may not fail. */
    private static final class Watch implements TestExecutionListener {

        private final List<String> known;
        private final boolean all;
        int passed;

        Watch(List<String> known, boolean all) {
            this.known = known;
            this.all = all;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL && test.isTest()) {
                passed++;
            }
            if (result.getStatus() != TestExecutionResult.Status.FAILED) {
                return;
            }
            String name = test.getSource().map(Watch::name).orElse(test.getDisplayName());
            if (known.contains(name)) {
                return;
            }
            result.getThrowable().ifPresent(Throwable::printStackTrace);
            System.out.println("FAILED " + result.getThrowable().map(Watch::way).orElse("crash") + " " + name);
            System.out.flush();
            if (!all) {
                end(FAILED);
            }
        }

        /**
         * Returns how a test found a fault: by an assertion, by a hang, or by anything else that the code threw. A class or member that is
         * missing says that the planted classes do not fit the others, not that the test finds the fault.
         */
        private static String way(Throwable failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            if (trace.toString().matches("(?s).*java\\.lang\\.(NoClassDefFound|NoSuchMethod|NoSuchField|AbstractMethod|IllegalAccess|"
                    + "IncompatibleClassChange|Verify|UnsupportedClassVersion|UnsatisfiedLink)Error.*")) {
                return "linkage";
            }
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof AssertionError || cause instanceof TimeoutException) {
                    return cause instanceof AssertionError ? "assertion" : "hang";
                }
            }
            return "crash";
        }

        private static String name(TestSource source) {
            if (source instanceof MethodSource method) {
                return method.getClassName() + "#" + method.getMethodName();
            }
            return source instanceof ClassSource type ? type.getClassName() : source.toString();
        }
    }
}
