@main struct BusStress { static func main() {} }
