import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Completes the Gradle metadata that the Maven plugin wrote for a module with native libraries. The plugin lists only the libraries of the
 * build machine's platform. With the completed metadata, a build that uses the module gets the libraries of all platforms at run time. If
 * the build asks for an operating system and an architecture, it gets the libraries of that platform only. Also writes the leading zeros
 * that the plugin leaves out of the checksums.
 *
 * <pre>java .ci/NativeVariants.java POM-WITH-PROPERTIES MODULE-POM METADATA</pre>
 */
class NativeVariants {

    /** Gradle's names of operating systems, by Maven's names. */
    private static final Map<String, String> SYSTEMS = Map.of("linux", "linux", "windows", "windows", "mac", "macos");

    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "x86-64", "x86_64", "x86-64", "aarch64", "aarch64");

    private static final Map<String, Integer> SUM_DIGITS = Map.of("sha512", 128, "sha256", 64, "sha1", 40, "md5", 32);

    private static final Pattern DEPENDENCY = Pattern.compile("        \\{\n.*?\n        }(?=,?\n)", Pattern.DOTALL);

    public static void main(String[] args) throws Exception {
        Path metadata = Path.of(args[2]);
        if (!Files.exists(metadata)) {
            return; // a module without a jar has no metadata
        }
        Element root = pom(args[0]);
        Map<String, List<String>> natives = new TreeMap<>(); // the artifacts of each platform, by its Gradle attributes
        for (Element profile : elements(pom(args[1]), "profile")) {
            for (Element os : elements(profile, "os")) {
                List<Element> names = elements(os, "name").isEmpty() ? elements(os, "family") : elements(os, "name");
                String attributes = """
                                "org.gradle.native.operatingSystem": "%s",
                                "org.gradle.native.architecture": "%s",
                        """
                        .formatted(
                                known(SYSTEMS, names.get(0).getTextContent()),
                                known(ARCHITECTURES, text(os, "arch")));
                for (Element dependency : elements(profile, "dependency")) {
                    natives.computeIfAbsent(attributes, platform -> new ArrayList<>())
                            .add(entry(dependency, root));
                }
            }
        }
        Files.writeString(metadata, withVariants(withWholeSums(Files.readString(metadata)), natives));
    }

    private static String withVariants(String json, Map<String, List<String>> natives) {
        if (natives.isEmpty()) {
            return json;
        }
        List<String> all = natives.values().stream().flatMap(List::stream).toList();
        int start = json.indexOf("    {\n      \"name\": \"runtimeElements\"");
        int end = json.lastIndexOf("\n  ]");
        String variant = json.substring(start, end);
        int first = variant.indexOf("\"dependencies\": [\n") + "\"dependencies\": [\n".length();
        int last = variant.indexOf("\n      ],", first);
        List<String> others = DEPENDENCY
                .matcher(variant.substring(first, last) + "\n")
                .results()
                .map(found -> found.group())
                .filter(entry -> !all.contains(entry))
                .toList();
        String head = variant.substring(0, first);
        String tail = variant.substring(last);
        List<String> variants = new ArrayList<>();
        variants.add(head + joined(others, all) + tail);
        natives.forEach((attributes, own) -> {
            Matcher names = Pattern.compile(": \"(.*)\"").matcher(attributes);
            String platform = names.results().map(found -> found.group(1)).collect(Collectors.joining("-"));
            variants.add(head.replace("\"runtimeElements\"", "\"runtimeElements-" + platform + "\"")
                            .replace("\"attributes\": {\n", "\"attributes\": {\n" + attributes)
                    + joined(others, own)
                    + tail);
        });
        return json.substring(0, start) + String.join(",\n", variants) + json.substring(end);
    }

    private static String joined(List<String> entries, List<String> more) {
        List<String> both = new ArrayList<>(entries);
        both.addAll(more);
        return String.join(",\n", both);
    }

    /** Formats a dependency exactly as the plugin does, so that {@code withVariants} recognises and drops the build machine's entries. */
    private static String entry(Element dependency, Element root) {
        String version = text(dependency, "version");
        Matcher property = Pattern.compile("\\$\\{(.*)}").matcher(version);
        return """
                        {
                          "group": "%s",
                          "module": "%s",
                          "version": {
                            "requires": "%s"
                          },
                          "thirdPartyCompatibility": {
                            "artifactSelector": {
                              "name": "%2$s",
                              "type": "jar",
                              "classifier": "%4$s"
                            }
                          }
                        }\
                """
                .formatted(
                        text(dependency, "groupId"),
                        text(dependency, "artifactId"),
                        property.matches() ? text(root, property.group(1)) : version,
                        text(dependency, "classifier"));
    }

    private static String withWholeSums(String json) {
        return Pattern.compile("\"(sha512|sha256|sha1|md5)\": \"(\\p{XDigit}+)\"")
                .matcher(json)
                .replaceAll(sum -> "\"" + sum.group(1) + "\": \""
                        + "0".repeat(SUM_DIGITS.get(sum.group(1)) - sum.group(2).length()) + sum.group(2) + "\"");
    }

    private static Element pom(String path) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of(path).toFile())
                .getDocumentElement();
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            Node node = found.item(i);
            elements.add((Element) node);
        }
        return elements;
    }

    private static String known(Map<String, String> names, String maven) {
        String gradle = names.get(maven);
        if (gradle == null) {
            throw new IllegalArgumentException("Gradle's name of \"" + maven + "\" is not known here: only those of " + names);
        }
        return gradle;
    }

    private static String text(Element parent, String name) {
        List<Element> found = elements(parent, name);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("<" + parent.getTagName() + "> has no <" + name + ">");
        }
        return found.get(0).getTextContent();
    }
}
